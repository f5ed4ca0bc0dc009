import { describe, expect, test } from "vitest";
import { findProgram } from "../../../src/executor/sandbox/find-program.ts";
import type { Launch } from "../../../src/executor/sandbox/sandbox.ts";
import { startProgram, untilClosed } from "../../../src/executor/sandbox/start-program.ts";
import { unconfined } from "../../../src/executor/sandbox/unconfined.ts";
import { withoutCgroups } from "../../../src/executor/sandbox/with-cgroups.ts";
import { newUuid } from "../../../src/id.ts";
import { pipeMaker } from "../../../src/platform/pipes.ts";
import { temporaryFolder } from "../../given/folder.ts";

const MIB = 1024 ** 2;
const LIMIT = { memoryBytes: 512 * MIB };

/** How a program fares whose processes may each have so much memory, in a sandbox that isolates nothing. */
async function outcomeOf(command: string[]) {
  const prlimit = await findProgram("prlimit");
  const sandbox = withoutCgroups(unconfined(), "there is none", LIMIT, prlimit);
  const environment = { PATH: process.env.PATH ?? "" };
  return ended(sandbox.launch({ runId: newUuid(), command, workspace: temporaryFolder(), environment }));
}

async function ended(launch: Launch) {
  const child = startProgram(launch, pipeMaker(temporaryFolder()));
  child.stdin?.end();
  let said = "";
  for (const pipe of [child.stdout, child.stderr]) {
    pipe?.on("data", (bytes: Buffer) => {
      said += bytes;
    });
  }
  const code = await untilClosed(child);
  return { hasSucceeded: code === 0, said };
}

const node = (script: string) => outcomeOf([process.execPath, "-e", script]);

describe("without cgroups, a process", () => {
  test("gets no more memory than the settings allow", async () => {
    expect(await node(`Buffer.alloc(${200 * MIB}, 1); console.log("done")`)).toEqual({
      hasSucceeded: true,
      said: "done\n",
    });
    const { hasSucceeded, said } = await node(`Buffer.alloc(${600 * MIB}, 1); console.log("done")`);
    expect([hasSucceeded, said.includes("done")]).toEqual([false, false]);
    expect((await outcomeOf(["tail", "/dev/zero"])).said).toMatch(/memory exhausted/);
  });

  test("gets this limit in the same start of prlimit as the others", async () => {
    const prlimit = await findProgram("prlimit");
    const sandbox = withoutCgroups(unconfined({ prlimit }), "there is none", LIMIT, prlimit);
    const environment = { PATH: process.env.PATH ?? "" };
    const command = ["cat", "/proc/self/limits"];
    const launch = sandbox.launch({ runId: newUuid(), command, workspace: temporaryFolder(), environment });
    expect([launch.command, ...launch.args].filter((word) => word === prlimit)).toEqual([prlimit]);
    const { said } = await ended(launch);
    expect(said).toMatch(new RegExp(`^Max data size +${LIMIT.memoryBytes} +${LIMIT.memoryBytes} `, "m"));
    expect(said).toMatch(/^Max msgqueue size +262144 +262144 /m);
  });

  test("may reserve more than that: a thread of its own, and a memory of WebAssembly that can grow", async () => {
    const script = `
      const { Worker } = require("node:worker_threads");
      new WebAssembly.Memory({ initial: 1, maximum: 65536 });
      new Worker("", { eval: true }).on("exit", () => console.log("done"));`;
    expect(await node(script)).toEqual({ hasSucceeded: true, said: "done\n" });
  });

  test("that the agent starts has the same limit, and cannot raise it", async () => {
    const script = `sh -c 'ulimit -d'; ulimit -d unlimited && ulimit -d`;
    const { said } = await outcomeOf([
      "setpriv",
      "--bounding-set=-all",
      "--inh-caps=-all",
      "sh",
      "-c",
      script,
    ]);
    expect(said.split("\n")[0]).toBe(String(LIMIT.memoryBytes / 1024));
    expect(said).not.toMatch(/^unlimited$/m);
  });
});

test("what an agent starts is killed before the server when memory runs out", async () => {
  const { said } = await outcomeOf([
    "sh",
    "-c",
    "until [ $(cat /proc/$$/oom_score_adj) = 500 ]; do :; done; sh -c 'cat /proc/$$/oom_score_adj'",
  ]);
  expect(said).toBe("500\n");
});

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findDivisibleCgroup } from "../../../src/executor/cgroups/own-cgroup.ts";
import { limitsHere } from "../../../src/executor/cgroups/run-limits.ts";
import { runProgram } from "../../../src/executor/execution/run-program.ts";
import { findProgram } from "../../../src/executor/sandbox/find-program.ts";
import { findUserRange } from "../../../src/executor/sandbox/run-user.ts";
import { unconfined } from "../../../src/executor/sandbox/unconfined.ts";
import { withCgroups, withoutCgroups } from "../../../src/executor/sandbox/with-cgroups.ts";
import { newUuid } from "../../../src/id.ts";
import type { TurnResources } from "../../../src/runs/output/usage.ts";
import { aCgroup } from "../../given/cgroup.ts";
import { anAgentSupervisor } from "../../given/executing.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { isRunning } from "../../given/processes.ts";
import { SERVERS, sandboxOf, start } from "../../given/sandbox-of.ts";
import { waitFor } from "../../given/server.ts";

const GIB = 1024 ** 3;
/** What the settings allow, without limits on memory: the cgroups of tests need not have controllers. */
const HERE = { ...limitsHere({ runMemory: "0", runCpus: 0 }, 64 * GIB), processes: 200 };

/** How a shell script fares as the program of a run in this sandbox, and what it writes. */
async function outcomeOf(sandbox: ReturnType<typeof withCgroups>, script: string, runId = newUuid()) {
  let said = "";
  const taken: TurnResources[] = [];
  const end = await runProgram({
    ...{ runId, sandbox, host: anAgentSupervisor(), input: "", secrets: [], timeoutMs: 20_000 },
    launch: sandbox.launch({
      runId,
      command: ["/bin/sh", "-c", script],
      workspace: temporaryFolder(),
      environment: { PATH: process.env.PATH ?? "", MILLRACE_RUN_ID: runId },
    }),
    transcript: {
      async append(pieces) {
        for (const { bytes } of pieces) said += Buffer.from(bytes).toString();
        return true;
      },
    },
    signal: new AbortController().signal,
    limit: new AbortController().signal,
    onResources: (resources) => void taken.push(resources),
  });
  return { end, said, taken };
}

/** On a machine where the tests may make no cgroup, what is said there is tested instead. */
function cgroupOrReason() {
  const folder = aCgroup();
  if (folder === undefined) expect(findDivisibleCgroup()).toEqual({ reason: expect.any(String) });
  return folder;
}

test("a program is in the cgroup of its run from its first instruction, and the cgroup goes with it", async () => {
  const folder = cgroupOrReason();
  if (folder === undefined) return;
  const runId = newUuid();
  const sandbox = withCgroups(unconfined(), { folder, controllers: [] }, HERE);
  const { end, said } = await outcomeOf(
    sandbox,
    "cat /proc/self/cgroup; ls -A /proc/self/fd | sort -n | tail -1",
    runId,
  );
  expect(end).toEqual({ kind: "exited", code: 0 });
  expect(said).toContain(`/run-${runId}/limits-max-max-max\n`);
  // Nothing that the start was made with is the program's: 3 is the folder that `ls` reads.
  expect(said.trim().split("\n").at(-1)).toBe("3");
  expect(existsSync(join(folder, `run-${runId}`))).toBe(false);
});

test("a program of another user is in it as well, and cannot leave it", async () => {
  const folder = cgroupOrReason();
  const users = await findUserRange();
  // The tests of other users cannot make a program someone else.
  if (folder === undefined || users === undefined) return;
  const sandbox = withCgroups(
    unconfined({ users, prlimit: await findProgram("prlimit"), processes: 200 }),
    { folder, controllers: [] },
    HERE,
  );
  const script = `id -u; cat /proc/self/cgroup; echo $$ > ${folder}/cgroup.procs; cat /proc/self/cgroup`;
  const { said } = await outcomeOf(sandbox, script);
  expect(said).not.toMatch(/^0$/m);
  expect(said).toMatch(/Permission denied/);
  expect(said.match(/\/limits-max-max-max$/gm)).toHaveLength(2);
});

test.each(SERVERS)(
  "under bubblewrap, with a server that is %s, a program is in it and does not see it",
  async (server) => {
    const folder = cgroupOrReason();
    if (folder === undefined) return;
    const { sandbox, runId, launch } = await sandboxOf(server);
    const group = join(folder, `run-${runId}`);
    const script =
      "grep ^0: /proc/self/cgroup; test -e /sys/fs/cgroup && echo seen; read -r line && echo $line";
    const launched = { ...(await launch(["sh", "-c", script])), cgroup: { folder: group, limits: {} } };
    const { child, closed, said } = start(launched);
    await waitFor(() => said() !== "" || undefined);
    const inside = readFileSync(join(group, "limits-max-max-max", "cgroup.procs"), "utf8");
    // Bubblewrap itself, the first process of the namespace, and the program.
    expect(inside.trim().split("\n").length).toBeGreaterThanOrEqual(3);
    child.stdin?.end("goes on\n");
    expect(await closed).toEqual({ code: 0, said: "0::/\ngoes on\n" });
    expect(await withCgroups(sandbox, { folder, controllers: [] }, HERE).endLeftBehind(runId)).toBe(true);
    expect(existsSync(group)).toBe(false);
  },
);

test("the processor time of a program, and of what it has started, is told at its end", async () => {
  const folder = cgroupOrReason();
  if (folder === undefined) return;
  const sandbox = withCgroups(unconfined(), { folder, controllers: [] }, HERE);
  const busy = "n=0; while [ $n -lt 200000 ]; do n=$((n + 1)); done";
  const { taken } = await outcomeOf(sandbox, `sh -c '${busy}'`);
  expect(taken).toHaveLength(1);
  expect(taken[0]?.cpuMs).toBeGreaterThan(10);
});

test("what has left the group and the environment of its run is ended with the cgroup", async () => {
  const folder = cgroupOrReason();
  if (folder === undefined) return;
  const sandbox = withCgroups(unconfined(), { folder, controllers: [] }, HERE);
  const { end, said } = await outcomeOf(
    sandbox,
    "setsid env -i sleep 31338 > /dev/null 2>&1 & sleep 0.3; pgrep -f '^sleep 31338$'",
  );
  expect(end).toEqual({ kind: "exited", code: 0 });
  expect(said.trim()).toMatch(/^\d+$/);
  expect(isRunning(Number(said))).toBe(false);
});

test("a cgroup that a killed server has left is made anew, with nothing counted in it", async () => {
  const folder = cgroupOrReason();
  if (folder === undefined) return;
  const runId = newUuid();
  mkdirSync(join(folder, `run-${runId}`, "limits-max-max-max"), { recursive: true });
  const sandbox = withCgroups(unconfined(), { folder, controllers: [] }, HERE);
  expect((await outcomeOf(sandbox, "true", runId)).end).toEqual({ kind: "exited", code: 0 });
  expect(readFileSync(join(folder, "cgroup.procs"), "utf8")).toBe("");
});

test("a program whose cgroup cannot be made is not started", async () => {
  const sandbox = withCgroups(
    unconfined(),
    { folder: join(temporaryFolder(), "gone"), controllers: [] },
    HERE,
  );
  const { end } = await outcomeOf(sandbox, "echo started > started");
  expect(end).toEqual({ kind: "not_started", message: expect.stringContaining("no such file or directory") });
});

describe("a launch has", () => {
  const program = { runId: "r", command: ["/bin/sh"], workspace: "/", environment: {} };
  const shape = { vcpus: 2, memoryGb: 4 };
  const EVERY = ["memory", "cpu", "pids"] as const;
  const limitsOf = (
    { controllers = EVERY, runMemory = "75%", runCpus = 0 }: LaunchSettings,
    asked?: typeof shape,
  ) =>
    withCgroups(
      unconfined(),
      { folder: "/cg", controllers },
      { ...limitsHere({ runMemory, runCpus }, 16 * GIB), processes: 200 },
    ).launch({ ...program, ...(asked ? { shape: asked } : {}) }).cgroup?.limits;

  test("the size of its runner, as far as the cgroup has controllers", () => {
    expect(limitsOf({}, shape)).toEqual({ memoryBytes: 4 * GIB, cpus: 2, tasks: 216 });
    expect(limitsOf({ controllers: ["memory"] }, shape)).toEqual({ memoryBytes: 4 * GIB });
  });

  test("three quarters of the memory and all processors, if neither runner nor settings say otherwise", () => {
    expect(limitsOf({})).toEqual({ memoryBytes: 12 * GIB, tasks: 216 });
  });

  test("what the settings say, if its runner says nothing", () => {
    const said = { runMemory: "2GiB", runCpus: 1.5 };
    expect(limitsOf(said)).toEqual({ memoryBytes: 2 * GIB, cpus: 1.5, tasks: 216 });
    expect(limitsOf(said, shape)).toEqual({ memoryBytes: 4 * GIB, cpus: 2, tasks: 216 });
    expect(limitsOf({ runMemory: "0" })).toEqual({ tasks: 216 });
  });

  test("never all the memory, whatever its runner asks for", () => {
    const { memoryBytes = 0 } = limitsOf({}, { vcpus: 1, memoryGb: 1_000 }) ?? {};
    expect(memoryBytes / (16 * GIB)).toBeCloseTo(0.9, 3);
  });
});

interface LaunchSettings {
  controllers?: readonly ("memory" | "cpu" | "pids")[];
  runMemory?: string;
  runCpus?: number;
}

test("what is not limited is said, and why", () => {
  const reason = "the cgroup /x is not delegated";
  const { weaknesses, limitsSize } = withoutCgroups(unconfined(), reason, HERE, "/usr/bin/prlimit");
  expect(weaknesses).toContain("The memory of a run is not limited: the cgroup /x is not delegated.");
  expect(weaknesses.join()).toContain("The number of processes of a run is not limited");
  expect(limitsSize).toBe(false);
  const each = withoutCgroups(unconfined(), reason, { memoryBytes: 3 * GIB }, "/usr/bin/prlimit");
  expect(each.weaknesses).toContain(
    "Each process of a run is limited to 3 GiB of memory, but not all of them together: the cgroup /x is not delegated.",
  );
  const unable = withoutCgroups(unconfined(), reason, { memoryBytes: 3 * GIB }, undefined);
  expect(unable.weaknesses).toContain("The memory of a run is not limited: the cgroup /x is not delegated.");
  const limited = withCgroups(unconfined(), { folder: "/cg", controllers: ["memory", "pids"] }, HERE);
  expect(limited.weaknesses.join()).not.toContain("The number of processes");
  expect(limited.weaknesses.join()).toContain("has no cpu controller");
  expect(limited.weaknesses.join()).toContain("only if its runner has an instanceShape");
  expect(limited.limitsSize).toBe(true);
});

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { findDivisibleCgroup } from "../../../src/runs/cgroups/own-cgroup.ts";
import { withCgroups, withoutCgroups } from "../../../src/runs/cgroups/with-cgroups.ts";
import { runProgram } from "../../../src/runs/execution/run-program.ts";
import type { TurnResources } from "../../../src/runs/output/usage.ts";
import { findProgram } from "../../../src/runs/sandbox/find-program.ts";
import { findUserRange } from "../../../src/runs/sandbox/run-user.ts";
import { unconfined } from "../../../src/runs/sandbox/unconfined.ts";
import { anAgentSupervisor } from "../../given/agent-supervisor.ts";
import { aCgroup } from "../../given/cgroup.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { isRunning } from "../../given/processes.ts";
import { SERVERS, sandboxOf, start } from "../../given/sandbox-of.ts";
import { waitFor } from "../../given/server.ts";

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
  const sandbox = withCgroups(unconfined(), { folder, controllers: [] }, 200);
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
    200,
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
    expect(await withCgroups(sandbox, { folder, controllers: [] }, 200).endLeftBehind(runId)).toBe(true);
    expect(existsSync(group)).toBe(false);
  },
);

test("the processor time of a program, and of what it has started, is told at its end", async () => {
  const folder = cgroupOrReason();
  if (folder === undefined) return;
  const sandbox = withCgroups(unconfined(), { folder, controllers: [] }, 200);
  const busy = "n=0; while [ $n -lt 200000 ]; do n=$((n + 1)); done";
  const { taken } = await outcomeOf(sandbox, `sh -c '${busy}'`);
  expect(taken).toHaveLength(1);
  expect(taken[0]?.cpuMs).toBeGreaterThan(10);
});

test("what has left the group and the environment of its run is ended with the cgroup", async () => {
  const folder = cgroupOrReason();
  if (folder === undefined) return;
  const sandbox = withCgroups(unconfined(), { folder, controllers: [] }, 200);
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
  const sandbox = withCgroups(unconfined(), { folder, controllers: [] }, 200);
  expect((await outcomeOf(sandbox, "true", runId)).end).toEqual({ kind: "exited", code: 0 });
  expect(readFileSync(join(folder, "cgroup.procs"), "utf8")).toBe("");
});

test("a program whose cgroup cannot be made is not started", async () => {
  const sandbox = withCgroups(
    unconfined(),
    { folder: join(temporaryFolder(), "gone"), controllers: [] },
    200,
  );
  const { end } = await outcomeOf(sandbox, "echo started > started");
  expect(end).toEqual({ kind: "not_started", message: expect.stringContaining("no such file or directory") });
});

test("a launch has the size of the runner in it, as far as the cgroup has controllers", () => {
  const program = { runId: "r", command: ["/bin/sh"], workspace: "/", environment: {} };
  const shape = { vcpus: 2, memoryGb: 4 };
  const limitsOf = (...controllers: ("memory" | "cpu" | "pids")[]) =>
    withCgroups(unconfined(), { folder: "/cg", controllers }, 200).launch({ ...program, shape }).cgroup
      ?.limits;
  expect(limitsOf("memory", "cpu", "pids")).toEqual({ memoryBytes: 4 * 1024 ** 3, cpus: 2, tasks: 216 });
  expect(limitsOf("memory")).toEqual({ memoryBytes: 4 * 1024 ** 3 });
});

test("what is not limited is said, and why", () => {
  const { weaknesses, limitsSize } = withoutCgroups(unconfined(), "the cgroup /x is not delegated");
  expect(weaknesses).toContain("The memory of a run is not limited: the cgroup /x is not delegated.");
  expect(weaknesses.join()).toContain("The number of processes of a run is not limited");
  expect(limitsSize).toBe(false);
  const limited = withCgroups(unconfined(), { folder: "/cg", controllers: ["memory", "pids"] }, 200);
  expect(limited.weaknesses.join()).not.toContain("The number of processes");
  expect(limited.weaknesses.join()).toContain("has no cpu controller");
  expect(limited.limitsSize).toBe(true);
});

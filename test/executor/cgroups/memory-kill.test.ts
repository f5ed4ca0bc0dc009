import { describe, expect, test } from "vitest";
import { findMemoryKill, findResources } from "../../../src/executor/cgroups/run-cgroup.ts";
import { endingOf } from "../../../src/executor/execution/run-program.ts";
import { FACTORY } from "../../given/definition.ts";
import { folderWith } from "../../given/folder.ts";
import { serving } from "../../given/serving.ts";

const events = (oom: number, kills: number) =>
  `low 0\nhigh 0\nmax 12\noom ${oom}\noom_kill ${kills}\noom_group_kill ${kills > 0 ? 1 : 0}\n`;
/** What the settings and the machine allow. */
const HERE = { memoryBytes: 6 * 1024 ** 3, mostBytes: 9 * 1024 ** 3 };
const cgroup = (oom: number, kills: number, max: string) => ({
  "memory.events": events(oom, kills),
  "memory.max": `${max}\n`,
});

describe("what the kernel counts in the cgroup of a run", () => {
  test.each([
    ["nothing of a run that was not killed", cgroup(0, 0, String(2 * 1024 ** 3)), undefined],
    ["nothing of one that came near its limit and was not killed", cgroup(3, 0, "1073741824"), undefined],
    ["the limit that was exceeded", cgroup(1, 3, String(2 * 1024 ** 3)), "it exceeded 2 GB of memory"],
    [
      "the setting, where it sets the limit",
      cgroup(1, 1, String(HERE.memoryBytes)),
      "6 GiB of memory, the limit that MILLRACE_RUN_MEMORY",
    ],
    [
      "the machine, where its runner asks for more",
      cgroup(1, 1, String(HERE.mostBytes)),
      "9 GiB of memory, the most",
    ],
    [
      "the machine, where the limit was not reached",
      cgroup(0, 3, "1073741824"),
      "the machine ran out of memory",
    ],
    ["the machine, where there is no limit", cgroup(0, 1, "max"), "the machine ran out of memory"],
    ["nothing without a memory controller", {}, undefined],
  ])("says %s", (_, files, said) => {
    const found = findMemoryKill(folderWith({ ...files }), HERE);
    if (said === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(said);
  });
});

test.each([
  ["both", { "cpu.stat": "usage_usec 1234567\nuser_usec 1\n", "memory.peak": "4096\n" }, 1_235, 4_096],
  ["no peak, of an older kernel", { "cpu.stat": "usage_usec 2000\n" }, 2, null],
  ["no processor time", { "memory.peak": "4096\n" }, null, 4_096],
])("what a run has taken is read from its cgroup: %s", (_, files, cpuMs, peakMemoryBytes) => {
  expect(findResources(folderWith({ ...files }))).toEqual({ cpuMs, peakMemoryBytes });
});

test("nothing is known of what a run has taken that has no cgroup", () => {
  expect(findResources(folderWith({}))).toBeUndefined();
});

test("a run that was killed for its memory has FAILED, and its message says where the limit comes from", () => {
  const reason = findMemoryKill(folderWith(cgroup(1, 1, String(4 * 1024 ** 3))), HERE) ?? "";
  expect(endingOf({ kind: "out_of_memory", reason }, 1_000)).toMatchObject({
    state: "FAILED",
    statusMessage: {
      error_code: "agent_process_failed",
      message:
        "The agent was killed: it exceeded 4 GB of memory, the limit that memoryGb in the instanceShape of its runner sets.",
    },
  });
});

test("a run says why nothing limits its memory as a whole, where the server cannot divide its cgroup", async () => {
  // What has started the tests is in the same cgroup, so that nobody may divide it.
  const { server, story } = await serving(FACTORY, {});
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Go." });
  await story.ended(run_id);
  expect(JSON.stringify(await story.timeline(run_id))).toMatch(
    /Each process of a run is limited to [\d.]+ [GM]iB of memory, but not all of them together: \w+|The memory of a run is not limited: \w+/,
  );
});

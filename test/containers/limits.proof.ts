import { expect, test } from "vitest";
import { containersOf, startPodman } from "../given/contained.ts";

/** How a program fares that fills a file in memory, with this limit for runs whose runner has no size. */
async function withLimit(runMemory: string) {
  const { run } = await containersOf(startPodman(), { runMemory });
  const script = "cat /proc/self/oom_score_adj; dd if=/dev/zero of=/tmp/much bs=1M count=128";
  return (memoryGb?: number) =>
    run(["sh", "-c", script], memoryGb === undefined ? undefined : { vcpus: 1, memoryGb });
}

test("a container uses no more memory than the runner's instance shape has", async () => {
  const run = await withLimit("0");
  expect(await run(1)).toMatchObject({ code: 0, said: expect.stringContaining("records out") });
  expect(await run(0.0625)).toMatchObject({ code: 137 });
  expect(await run()).toMatchObject({ code: 0 });
});

test("without one, it uses no more than the settings allow, and is killed before the server", async () => {
  const run = await withLimit("64MiB");
  expect(await run()).toMatchObject({ code: 137, said: expect.stringMatching(/^500$/m) });
  expect(await run(1)).toMatchObject({ code: 0 });
});

import { expect, test } from "vitest";
import { createLog } from "../../src/log.ts";
import { createQueue } from "../../src/runs/queue.ts";
import { waitFor } from "../given/server.ts";
import { aRun, aStore, LEASE } from "../given/store.ts";

test("a run that waits for the hour is begun when the hour allows it, and nobody has to wake the queue", async () => {
  const { runs } = await aStore();
  const caps = { automations: {}, factories: { f: 1 } };
  // The run before it was started an hour ago, but for a moment.
  const longAgo = new Date(Date.now() - 60 * 60_000 + 1_500);
  await runs.create(aRun({ factoryUid: "f", title: "before" }), longAgo.toISOString());
  await runs.claim(1, LEASE, longAgo.toISOString(), caps);
  await runs.create(aRun({ factoryUid: "f", title: "waits" }), new Date().toISOString());
  const begun: { title: string; at: number }[] = [];
  const queue = createQueue({
    store: runs,
    worker: "a-worker",
    concurrency: 2,
    caps: () => caps,
    execute: async ({ run }) => void begun.push({ title: run.title, at: Date.now() }),
    log: createLog("silent"),
    now: () => new Date(),
  });
  const woken = Date.now();
  queue.wake();
  const [run] = await waitFor(() => (begun.length > 0 ? begun : undefined));
  await queue.stop(0);
  expect(run?.title).toBe("waits");
  expect(run?.at).toBeGreaterThanOrEqual(longAgo.getTime() + 60 * 60_000);
  // Long before the look that the queue takes in any case.
  expect((run?.at ?? 0) - woken).toBeLessThan(4_900);
});

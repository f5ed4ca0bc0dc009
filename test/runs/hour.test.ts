import { expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "../../src/log.ts";
import { NO_CAPS } from "../../src/runs/caps.ts";
import { createQueue } from "../../src/runs/queue.ts";
import { aStoreOf } from "../given/factory.ts";
import { waitFor } from "../given/server.ts";
import { aRun, LEASE } from "../given/store.ts";

const HOUR_MS = 60 * 60_000;

/** A queue in front of a run that has to wait until an hour after `before`, with a clock of the test's own. */
async function waitingForTheHour(before: Date, now: () => Date) {
  const { runs } = await aStoreOf("f");
  const caps = { ...NO_CAPS, factories: { f: 1 } };
  await runs.create(aRun({ factoryUid: "f", title: "before" }), before.toISOString());
  await runs.claim(1, LEASE, before.toISOString(), caps);
  await runs.create(aRun({ factoryUid: "f", title: "waits" }), before.toISOString());
  const begun: { title: string; at: number }[] = [];
  // The look that the queue takes in any case would hide that it missed the hour.
  vi.useFakeTimers({ toFake: ["setInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const queue = createQueue({
    store: runs,
    worker: "a-worker",
    concurrency: 2,
    caps: () => caps,
    hasRoom: () => true,
    execute: async ({ run }) => void begun.push({ title: run.title, at: now().getTime() }),
    log: createLog("silent"),
    now,
    leaseNow: now,
  });
  return { queue, begun };
}

test("a run that waits for the hour starts when the hour allows it, without another wake of the queue", async () => {
  const before = new Date(Date.now() - HOUR_MS + 1_500);
  const { queue, begun } = await waitingForTheHour(before, () => new Date());
  queue.wake();
  const [run] = await waitFor(() => (begun.length > 0 ? begun : undefined));
  await queue.stop(0);
  expect(run?.title).toBe("waits");
  expect(run?.at).toBeGreaterThanOrEqual(before.getTime() + HOUR_MS);
});

test("an hour that ends between the claim and the question when it ends is not slept through", async () => {
  const before = new Date("2026-01-01T10:00:00.000Z");
  const moments = ["2026-01-01T10:59:59.999Z"];
  const { queue, begun } = await waitingForTheHour(
    before,
    () => new Date(moments.shift() ?? "2026-01-01T11:00:00.000Z"),
  );
  queue.wake();
  await waitFor(() => (begun.length > 0 ? begun : undefined));
  await queue.stop(0);
  expect(begun.map(({ title }) => title)).toEqual(["waits"]);
});

import { describe, expect, test } from "vitest";
import { createLog } from "../../src/log.ts";
import { NO_CAPS } from "../../src/runs/caps.ts";
import { createQueue } from "../../src/runs/queue.ts";
import { AT, aRun, aStore, LEASE } from "../given/store.ts";

/** A queue with room for so many runs, which nobody wakes. */
async function aQueue(concurrency: number) {
  const { runs } = await aStore();
  const execute = async () => {};
  const [log, now] = [createLog("silent"), () => new Date()];
  const queue = createQueue({
    store: runs,
    worker: "a-worker",
    concurrency,
    caps: () => NO_CAPS,
    hasRoom: () => true,
    execute,
    log,
    now,
    leaseNow: now,
  });
  return { queue, runs };
}

describe("a run that is about to be stored", () => {
  test("has to wait when those before it take all the room, also before any of them has begun", async () => {
    const { queue } = await aQueue(2);
    const waits = ["a", "b", "c"].map((id) => queue.expect(aRun({ id })));
    expect(await Promise.all(waits)).toEqual([false, false, true]);
  });

  test("gives its room back when it is cancelled before it begins, or not stored", async () => {
    const { queue } = await aQueue(1);
    expect(await queue.expect(aRun({ id: "a" }))).toBe(false);
    queue.cancel("a");
    expect(await queue.expect(aRun({ id: "b" }))).toBe(false);
    queue.forget("b");
    expect(await queue.expect(aRun({ id: "c" }))).toBe(false);
  });

  test("gives its room back when another server has claimed it, whatever this one has heard of that", async () => {
    const { queue, runs } = await aQueue(1);
    const { id } = await runs.create(aRun(), AT);
    expect(await queue.expect(aRun({ id }))).toBe(false);
    expect(await queue.expect(aRun())).toBe(true);
    await runs.claim(1, { ...LEASE, worker: "another-server" }, AT);
    expect(await queue.expect(aRun())).toBe(false);
  });
});

import { describe, expect, test } from "vitest";
import { createLog } from "../../src/log.ts";
import { NO_CAPS } from "../../src/runs/caps.ts";
import { createQueue } from "../../src/runs/queue.ts";
import { aRun, aStore } from "../given/store.ts";

/** A queue with room for so many runs, which nobody wakes. */
async function aQueue(concurrency: number) {
  const { runs } = await aStore();
  const execute = async () => {};
  const [log, now] = [createLog("silent"), () => new Date()];
  return createQueue({
    store: runs,
    worker: "a-worker",
    concurrency,
    caps: () => NO_CAPS,
    hasRoom: () => true,
    execute,
    log,
    now,
  });
}

describe("a run that is about to be stored", () => {
  test("has to wait when those before it take all the room, also before any of them has begun", async () => {
    const queue = await aQueue(2);
    expect(["a", "b", "c"].map((id) => queue.expect(aRun({ id })))).toEqual([false, false, true]);
  });

  test("gives its room back when it is cancelled before it begins, or not stored", async () => {
    const queue = await aQueue(1);
    expect(queue.expect(aRun({ id: "a" }))).toBe(false);
    queue.cancel("a");
    expect(queue.expect(aRun({ id: "b" }))).toBe(false);
    queue.forget("b");
    expect(queue.expect(aRun({ id: "c" }))).toBe(false);
  });
});

import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createCommitSignal } from "../../src/concurrency/rounds.ts";

/** Longer than between two looks of somebody who waits. */
const LONG_MS = 200;

/** Somebody who waits for the next commit, and whether they have heard of it. */
function waiting(signal: ReturnType<typeof createCommitSignal>) {
  const seen = { hasHeard: false };
  const heard = signal.next(60_000, new AbortController().signal).then(() => {
    seen.hasHeard = true;
  });
  return { seen, heard };
}

test("who has waited for a while hears of a commit at once", async () => {
  const signal = createCommitSignal();
  const { seen } = waiting(signal);
  await sleep(LONG_MS);
  signal.committed();
  await nextTurn();
  expect(seen.hasHeard).toBe(true);
});

test("who has just looked hears of a commit only after a while, so that many commits in a row are one look", async () => {
  const signal = createCommitSignal();
  const { seen, heard } = waiting(signal);
  signal.committed();
  await nextTurn();
  expect(seen.hasHeard).toBe(false);
  await heard;
});

import { expect, test, vi } from "vitest";
import { leaderRounds } from "../../src/concurrency/rounds.ts";
import { onFinished } from "../given/cleanup.ts";

/** Rounds of a server that leads, or not, as the test says. */
function given() {
  vi.useFakeTimers();
  onFinished(() => void vi.useRealTimers());
  let leads = false;
  const listeners = new Set<() => void>();
  let count = 0;
  const rounds = leaderRounds(
    {
      isLeader: () => leads,
      onLeading(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    {
      async round() {
        count += 1;
        return undefined;
      },
      onError: () => undefined,
    },
  );
  return {
    rounds,
    count: () => count,
    listeners,
    lead(isTold: boolean) {
      leads = true;
      if (isTold) for (const listener of listeners) listener();
    },
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  };
}

test("a server that does not lead does nothing, and begins when it is told that it leads", async () => {
  const { rounds, count, lead, pass } = given();
  rounds.wake();
  await pass(60_000);
  expect(count()).toBe(0);
  lead(true);
  await pass(1);
  expect(count()).toBe(1);
});

test("a round that was left out while nobody knew whether this server leads is made up for", async () => {
  const { rounds, count, lead, pass } = given();
  rounds.wake();
  await pass(1_000);
  lead(false);
  await pass(10_000);
  expect(count()).toBe(1);
});

test("rounds that were stopped begin no more when this server leads again", async () => {
  const { rounds, count, lead, pass, listeners } = given();
  await rounds.stop();
  expect(listeners.size).toBe(0);
  lead(true);
  await pass(60_000);
  expect(count()).toBe(0);
});

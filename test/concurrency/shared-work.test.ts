import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { sharedWork } from "../../src/concurrency/shared-work.ts";

const STAYS = new AbortController().signal;

/** Work whose rounds end when they are told to, each with its number. */
function numberedRounds() {
  const rounds: { end(): void; fail(error: Error): void; signal: AbortSignal }[] = [];
  const ask = sharedWork(
    (signal) =>
      new Promise<number>((resolve, reject) => {
        const round = rounds.length + 1;
        signal.addEventListener("abort", () => reject(signal.reason));
        rounds.push({ signal, end: () => resolve(round), fail: reject });
      }),
  );
  const begun = async (count: number) => {
    while (rounds.length < count) await nextTurn();
  };
  return { ask, rounds, begun };
}

describe("shared work", () => {
  test("gives everyone the outcome of a round that began after the question", async () => {
    const { ask, rounds, begun } = numberedRounds();
    const first = ask(STAYS);
    await begun(1);
    const late = [ask(STAYS), ask(STAYS)];
    rounds[0]?.end();
    expect(await first).toBe(1);
    await begun(2);
    const later = ask(STAYS);
    rounds[1]?.end();
    expect(await Promise.all(late)).toEqual([2, 2]);
    await begun(3);
    rounds[2]?.end();
    expect(await later).toBe(3);
  });

  test("is one round for all who ask in the same moment", async () => {
    const { ask, rounds, begun } = numberedRounds();
    const all = [ask(STAYS), ask(STAYS), ask(STAYS)];
    await begun(1);
    rounds[0]?.end();
    expect(await Promise.all(all)).toEqual([1, 1, 1]);
  });

  test("is aborted when the last one that waits for it leaves, and not before", async () => {
    const { ask, rounds, begun } = numberedRounds();
    const [one, other] = [new AbortController(), new AbortController()];
    const both = [ask(one.signal), ask(other.signal)].map((asked) => expect(asked).rejects.toThrow("left"));
    await begun(1);
    one.abort(new Error("left"));
    await nextTurn();
    expect(rounds[0]?.signal.aborted).toBe(false);
    other.abort(new Error("left"));
    await Promise.all(both);
    expect(rounds[0]?.signal.aborted).toBe(true);
    const next = ask(STAYS);
    await begun(2);
    rounds[1]?.end();
    expect(await next).toBe(2);
  });

  test("goes on after a round that failed, whose failure is for those who waited for it", async () => {
    const { ask, rounds, begun } = numberedRounds();
    const failing = expect(ask(STAYS)).rejects.toThrow("of the first round");
    await begun(1);
    const next = ask(STAYS);
    rounds[0]?.fail(new Error("of the first round"));
    await failing;
    await begun(2);
    rounds[1]?.end();
    expect(await next).toBe(2);
  });
});

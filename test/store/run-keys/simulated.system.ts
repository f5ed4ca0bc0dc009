import { describe, expect, test } from "vitest";
import { MAX_JOINED, MAX_JOINED_BYTES, type WhileRunning } from "../../../src/definitions/definition.ts";
import { simulateRuns } from "../../../src/definitions/simulated-runs.ts";
import { atSecond, keyedStore } from "../../given/keyed-runs.ts";
import { POSTGRES_URL } from "../../given/postgres.ts";

const debounce = { quietMs: 10_000, longestMs: 25_000 };
const SECONDS = 140;
/** PostgreSQL takes a round trip for each of ten thousand statements. */
const SEEDS = POSTGRES_URL ? 1 : 3;

/** Numbers that look random and are the same each time. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % sides;
  };
}

/** Deliveries by the second in which they come. */
function traffic(seed: number): { at: number; key: string | undefined }[] {
  const roll = dice(seed);
  return Array.from({ length: SECONDS }, (_, at) => at).flatMap((at) =>
    roll(5) === 0 ? [{ at, key: roll(12) === 0 ? undefined : `k${roll(2)}` }] : [],
  );
}

/**
 * Carries out the same traffic in a store, in which each turn takes as long.
 * @returns the deliveries of each run that started, and how many of them have continued it
 */
async function carriedOut(
  rules: Parameters<typeof keyedStore>[0],
  deliveries: ReturnType<typeof traffic>,
  runSeconds: number,
): Promise<{ deliveries: number[]; continued: number }[]> {
  const { deliver, start, finish, runs } = await keyedStore(rules);
  const ends = new Map<string, number>();
  const started = new Set<string>();
  const given = new Map<string, { deliveries: number[]; continued: number }>();
  const step = async (second: number) => {
    for (;;) {
      const due = [...ends].filter(([, end]) => end <= second).map(([id]) => id);
      for (const id of due) {
        ends.delete(id);
        await finish(id, second);
      }
      while ((await runs.closeDueWindows(atSecond(second), 100)) > 0);
      const begun = await start(second);
      for (const id of begun) {
        started.add(id);
        ends.set(id, second + runSeconds);
      }
      if (begun.length === 0 && due.length === 0) return;
    }
  };
  for (let second = 0; second < SECONDS + 2_000; second += 1) {
    await step(second);
    for (const [place, { at, key }] of deliveries.entries()) {
      if (at !== second) continue;
      const { runId, kind, effects } = await deliver({
        key: rules.policy === "none" ? "" : (key ?? null),
        at: second,
      });
      const before = given.get(runId) ?? { deliveries: [], continued: 0 };
      given.set(runId, {
        deliveries: [...before.deliveries, place],
        continued: before.continued + Number(kind === "continued"),
      });
      // Agents whose end is asked for are gone at once.
      for (const { run } of effects?.ended ?? []) if (run.isLeased) ends.set(run.id, second);
      await step(second);
    }
    if (second > SECONDS && ends.size === 0 && (await runs.findNextWindowEnd(atSecond(second))) === undefined)
      break;
  }
  return [...given].filter(([id]) => started.has(id)).map(([, run]) => run);
}

/** The runs that are foreseen, as {@link carriedOut} returns them. */
function foreseen(...[deliveries, options]: Parameters<typeof simulateRuns>) {
  return simulateRuns(deliveries, options)
    .filter(({ replaced }) => replaced !== "waiting")
    .map(({ deliveries: places, continued }) => ({ deliveries: places, continued }));
}

const keyedBy = (whileRunning: WhileRunning) => ({
  ...{ key: "{{key}}", whileRunning },
  ...{ forgetAfterMs: 60_000, maxTurns: 4 },
});

describe("the runs that `plan` and tests foresee are those of the store", () => {
  const policies: (WhileRunning | "none")[] = ["queue", "join", "replace", "continue"];
  const cases = [
    ...policies.flatMap((policy) => [
      { policy, window: undefined, runSeconds: 7 },
      { policy, window: debounce, runSeconds: 7 },
      { policy, window: debounce, runSeconds: 40 },
    ]),
    { policy: "none" as const, window: debounce, runSeconds: 40 },
  ];
  test.each(cases)("$policy, $window, $runSeconds s", async ({ policy, window, runSeconds }) => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const deliveries = traffic(seed * 7_919);
      const rules = { policy, ...(window ? { debounce: window } : {}), forgetAfterMs: 60_000, maxTurns: 4 };
      const keyed = policy === "none" ? undefined : keyedBy(policy);
      const expected = foreseen(
        deliveries.map(({ at, key }) => ({ at: at * 1_000, key })),
        { keyed, debounce: window, runMs: runSeconds * 1_000 },
      );
      expect(await carriedOut(rules, deliveries, runSeconds), `seed ${seed}`).toEqual(expected);
    }
  });

  test.each<WhileRunning>(["join", "continue"])("if a run is full, with %s", async (policy) => {
    const deliveries = Array.from({ length: MAX_JOINED + 2 }, () => ({ at: 0, key: "k" }));
    const rules = { policy, debounce, forgetAfterMs: 60_000, maxTurns: 4 };
    const made = await carriedOut(rules, deliveries, 7);
    expect(made.map((run) => run.deliveries.length)).toEqual([MAX_JOINED, 2]);
    expect(foreseen(deliveries, { keyed: keyedBy(policy), debounce, runMs: 7_000 })).toEqual(made);
  });
});

test("a run takes no more bytes than one in the store", () => {
  const sizes = [MAX_JOINED_BYTES - 2, 1, 1, 1, MAX_JOINED_BYTES];
  const deliveries = sizes.map((size) => ({ at: 0, key: "k", size }));
  const made = foreseen(deliveries, { keyed: keyedBy("join"), debounce, runMs: 0 });
  expect(made.map((run) => run.deliveries)).toEqual([[0, 1, 2], [3], [4]]);
});

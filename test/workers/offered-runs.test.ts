import { expect, test } from "vitest";
import { NO_CAPS } from "../../src/runs/caps.ts";
import type { RunStore } from "../../src/runs/run-store.ts";
import { createOfferedRuns } from "../../src/workers/offered-runs.ts";
import { AT, aRun, aStore } from "../given/store.ts";

const RUNS = 6;

const REACH = { placements: ["gpu"], factories: null };
const ALL = { free: RUNS, known: [], isDraining: false };
const KEEP_MS = 60_000;
const HOUR_MS = 3_600_000;

const taker = (index: number) => ({ holder: `worker-${index}`, name: "gpu", mayHave: () => true });

/** Offers of a store with waiting runs. */
async function offersOf(
  listClaimable = (runs: RunStore): RunStore["listClaimable"] => runs.listClaimable,
  clocks = { now: () => new Date(AT), leaseNow: () => new Date(AT) },
) {
  const { runs } = await aStore();
  for (let made = 0; made < RUNS; made += 1) await runs.create(aRun({ placement: "gpu" }), AT);
  return createOfferedRuns({
    store: { find: runs.find, listClaimable: listClaimable(runs) },
    needs: {
      environments: { find: async () => undefined },
      activeOf: () => undefined,
      webhookSecrets: () => new Set(),
      hasForges: false,
    },
    caps: () => NO_CAPS,
    keepMs: KEEP_MS,
    ...clocks,
  });
}

/** The offers of a store with waiting runs, to processes that all have their list before any of them goes on. */
async function offeredAtOnce(processes: number) {
  let missing = processes;
  let go = () => {};
  const all = new Promise<void>((resolve) => {
    go = resolve;
  });
  const offered = await offersOf((runs) => async (...asked) => {
    const found = await runs.listClaimable(...asked);
    missing -= 1;
    if (missing === 0) go();
    await all;
    return found;
  });
  const answers = Array.from({ length: processes }, (_, index) => offered.look(taker(index), ALL, REACH));
  return (await Promise.all(answers)).flatMap(({ offers }) => offers.map(({ id }) => id));
}

test("processes that ask at the same moment are not offered the same run", async () => {
  const ids = await offeredAtOnce(3);
  expect(new Set(ids).size).toBe(RUNS);
  expect(ids.length).toBe(RUNS);
});

test.each([HOUR_MS, -HOUR_MS])(
  "runs that a process has taken up stay its own for as long as a lease, when the clock is set by %d ms",
  async (jump) => {
    const at = Date.parse(AT);
    let wall = at;
    let sinceThen = 0;
    const clocks = { now: () => new Date(wall), leaseNow: () => new Date(at + sinceThen) };
    const offered = await offersOf(undefined, clocks);
    expect((await offered.look(taker(0), ALL, REACH)).offers).toHaveLength(RUNS);
    wall += jump;
    expect((await offered.look(taker(1), ALL, REACH)).offers).toEqual([]);
    sinceThen = KEEP_MS + 1;
    expect((await offered.look(taker(1), ALL, REACH)).offers).toHaveLength(RUNS);
  },
);

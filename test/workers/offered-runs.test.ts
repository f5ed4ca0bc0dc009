import { expect, test } from "vitest";
import { NO_CAPS } from "../../src/runs/caps.ts";
import { createOfferedRuns } from "../../src/workers/offered-runs.ts";
import { AT, aRun, aStore } from "../given/store.ts";

const RUNS = 6;

/** The offers of a store with waiting runs, to processes that all have their list before any of them goes on. */
async function offeredAtOnce(processes: number) {
  const { runs } = await aStore();
  for (let made = 0; made < RUNS; made += 1) await runs.create(aRun({ placement: "gpu" }), AT);
  let missing = processes;
  let go = () => {};
  const all = new Promise<void>((resolve) => {
    go = resolve;
  });
  const offered = createOfferedRuns({
    store: {
      find: runs.find,
      async listClaimable(...asked) {
        const found = await runs.listClaimable(...asked);
        missing -= 1;
        if (missing === 0) go();
        await all;
        return found;
      },
    },
    needs: {
      environments: { find: async () => undefined },
      activeOf: () => undefined,
      webhookSecrets: () => new Set(),
      hasForges: false,
    },
    caps: () => NO_CAPS,
    keepMs: 60_000,
    now: () => new Date(AT),
  });
  const request = { free: RUNS, known: [], isDraining: false };
  const reach = { placements: ["gpu"], factories: null };
  const answers = Array.from({ length: processes }, (_, index) =>
    offered.look({ holder: `worker-${index}`, name: "gpu", mayHave: () => true }, request, reach),
  );
  return (await Promise.all(answers)).flatMap(({ offers }) => offers.map(({ id }) => id));
}

test("processes that ask at the same moment are not offered the same run", async () => {
  const ids = await offeredAtOnce(3);
  expect(new Set(ids).size).toBe(RUNS);
  expect(ids.length).toBe(RUNS);
});

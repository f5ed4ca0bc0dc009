import { expect, test } from "vitest";
import { prove } from "../../proof/prove.ts";
import { workers } from "../../proof/workers.ts";

const SECONDS = 45;
const SEED = 8;
const LEAST_FAULTS = 15;

test("through kills, pauses and cut wires of a server and three workers nothing starts twice, is lost or gets stuck", async () => {
  // Where networks cannot be divided, the machines have processes and mounts of their own only.
  const figures = await prove(workers, {
    ...{ seconds: SECONDS, seed: SEED, leastFaults: LEAST_FAULTS },
    mayFallBack: true,
  });
  const { lost, doubled, stuck, broken } = figures;
  expect({ lost, doubled, stuck, broken }, figures.note).toEqual({
    lost: [],
    doubled: [],
    stuck: [],
    broken: [],
  });
  expect(figures.faults).toBeGreaterThanOrEqual(LEAST_FAULTS);
}, 180_000);

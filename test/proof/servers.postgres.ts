import { expect, test } from "vitest";
import { prove } from "../../proof/prove.ts";
import { servers } from "../../proof/servers.ts";

const SECONDS = 12;
const SEED = 8;
const LEAST_FAULTS = 6;

test("through kills, pauses and cut wires of servers on one database nothing starts twice, is lost or gets stuck", async () => {
  const figures = await prove(servers, {
    ...{ seconds: SECONDS, seed: SEED, leastFaults: LEAST_FAULTS },
    ...{ nodes: { servers: 2, workers: 1 }, mayFallBack: true },
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

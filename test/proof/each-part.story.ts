import { expect, test } from "vitest";
import { PARTS } from "../../proof/parts.ts";
import { prove } from "../../proof/prove.ts";
import { servers } from "../../proof/servers.ts";
import { soak } from "../../proof/soak.ts";
import { workers } from "../../proof/workers.ts";

/** A glance; `npm run proof` takes as long as it is told to. */
const SECONDS = 2;
const SEED = 8;

/** Their machines take longer to start than a glance lasts: each has a test of its own. */
const GLANCED = PARTS.filter((part) => part !== workers && part !== servers);

test.each(GLANCED)(
  "through two seconds of $name nothing is lost, doubled or stuck",
  async (part) => {
    const figures = await prove(part, { seconds: SECONDS, seed: SEED });
    const { lost, doubled, stuck, broken } = figures;
    expect({ lost, doubled, stuck, broken }).toEqual({ lost: [], doubled: [], stuck: [], broken: [] });
    expect(figures.taken).toBeGreaterThan(0);
    if (part !== soak) expect(figures.faults).toBeGreaterThan(0);
  },
  240_000,
);

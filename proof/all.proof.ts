import { writeFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import type { Figures } from "./given/part.ts";
import { partsNamed } from "./parts.ts";
import { prove } from "./prove.ts";
import { tableOf } from "./table.ts";

const minutes = Number(process.env.PROOF_MINUTES ?? 1);
const seed = Number(process.env.PROOF_SEED ?? 1);
const { PROOF_SERVERS, PROOF_WORKERS } = process.env;
const nodes = {
  ...(PROOF_SERVERS ? { servers: Number(PROOF_SERVERS) } : {}),
  ...(PROOF_WORKERS ? { workers: Number(PROOF_WORKERS) } : {}),
};
const parts = partsNamed(process.env.PROOF_ONLY);
const whole = parts.reduce((sum, { share }) => sum + share, 0);

describe(`seed ${seed}, ${minutes} minutes`, () => {
  const all: Figures[] = [];
  afterAll(() => {
    const { PROOF_JSON: file } = process.env;
    if (file) writeFileSync(file, JSON.stringify({ seed, minutes, parts: all }, null, 2));
    process.stdout.write(`\n${tableOf(all, { seed, minutes })}\n`);
  });
  test.each(parts)("$name", async (part) => {
    const figures = await prove(part, { seconds: (minutes * 60 * part.share) / whole, seed, nodes });
    all.push(figures);
    const { lost, doubled, stuck, broken } = figures;
    expect({ lost, doubled, stuck, broken }).toEqual({ lost: [], doubled: [], stuck: [], broken: [] });
    expect(figures.taken).toBeGreaterThan(0);
  });
});

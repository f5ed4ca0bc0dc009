import { expect, test } from "vitest";
import { priceTable, priceUsage } from "../../src/insight/prices.ts";

const prices = priceTable({ m: { input: 1, output: 2 } });
const told = { model: "m", inputTokens: 1_000_000, outputTokens: 1_000_000, cachedTokens: 0 };

test("a cost that was told stays, others are priced, and what has no price is unknown", () => {
  const usage = [
    { ...told, costUsd: 0.5 },
    { ...told, costUsd: null },
    { ...told, model: "x", costUsd: null },
  ];
  expect(priceUsage(usage, prices).map(({ costUsd, costSource }) => [costUsd, costSource])).toEqual([
    [0.5, "reported"],
    [3, "priced"],
    [null, null],
  ]);
});

test("what a program tells has whole numbers of tokens, and so many that their sums can be stored", () => {
  const usage = { ...told, inputTokens: 1e300, outputTokens: 0.6, costUsd: 1e300 };
  expect(priceUsage([usage], prices)).toEqual([
    { ...told, inputTokens: 1e12, outputTokens: 1, costUsd: 1e9, costSource: "reported" },
  ]);
});

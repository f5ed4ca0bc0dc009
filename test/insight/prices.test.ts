import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PRICE_LISTS } from "../../src/insight/list-prices.ts";
import { costOf, priceTable } from "../../src/insight/prices.ts";

const listed = priceTable();
const million = { inputTokens: 1_000_000, outputTokens: 1_000_000, cachedTokens: 400_000 };

describe("the price of a model", () => {
  test.each([
    "claude-sonnet-4-5",
    "claude-sonnet-4-5-20250929",
    "anthropic/claude-sonnet-4-5",
    "anthropic/claude-sonnet-4-5-20250929",
  ])("is found as %s", (model) => {
    expect(listed.priceOf(model)).toEqual({ input: 3, cached: 0.3, output: 15 });
  });

  test("of a snapshot that costs something else is its own", () => {
    expect(listed.priceOf("gpt-4o-2024-05-13")?.input).toBe(5);
    expect(listed.priceOf("gpt-4o-2024-08-06")?.input).toBe(2.5);
  });

  test.each([
    "",
    "claude",
    "claude-sonnet-4-5-fast",
    "openai/claude-sonnet-4-5",
    "openrouter/anthropic/claude-sonnet-4-5",
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "constructor",
    "__proto__",
  ])("is unknown as %j", (model) => {
    expect(listed.priceOf(model)).toBeUndefined();
    expect(costOf({ model, ...million }, listed)).toBeNull();
  });

  test("is that of the settings where they have one, for its snapshots as well", () => {
    const prices = priceTable({ "gpt-5": { input: 1, output: 2 }, mine: { input: 4, output: 5, cached: 0 } });
    expect(prices.priceOf("gpt-5")).toEqual({ input: 1, cached: 1, output: 2 });
    expect(prices.priceOf("gpt-5-2025-08-07")).toEqual({ input: 1, cached: 1, output: 2 });
    expect(prices.priceOf("mine")).toEqual({ input: 4, cached: 0, output: 5 });
    expect(prices.priceOf("gpt-5-mini")).toEqual(listed.priceOf("gpt-5-mini"));
  });
});

test("input from a cache costs its own price, and other input the price of input", () => {
  const cost = costOf({ model: "claude-sonnet-4-5", ...million }, listed);
  expect(cost).toBeCloseTo(0.6 * 3 + 0.4 * 0.3 + 15, 10);
});

test("a model that is free by the settings costs nothing, which is not unknown", () => {
  const free = priceTable({ mine: { input: 0, output: 0 } });
  expect(costOf({ model: "mine", ...million }, free)).toBe(0);
});

test("more input from a cache than input does not lower the cost of other tokens", () => {
  const usage = { model: "claude-sonnet-4-5", inputTokens: 10, outputTokens: 0, cachedTokens: 1_000_000 };
  expect(costOf(usage, listed)).toBeCloseTo((10 * 0.3) / 1_000_000, 12);
});

test("every listed price says where and when it was read, and is a price", () => {
  expect(PRICE_LISTS.length).toBeGreaterThan(2);
  for (const { source, date, prices } of PRICE_LISTS) {
    expect(source).toMatch(/^https:\/\//);
    expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    for (const [model, { input, cached, output }] of Object.entries(prices)) {
      expect([model, input > 0, cached > 0, cached <= input, input <= output]).toEqual([
        model,
        true,
        true,
        true,
        true,
      ]);
    }
  }
  const models = PRICE_LISTS.flatMap(({ prices }) => Object.keys(prices));
  expect(new Set(models).size).toBe(models.length);
});

test("the documentation lists every price, with where and when it was read", () => {
  const page = readFileSync(new URL("../../docs/usage.md", import.meta.url), "utf8");
  const rows = PRICE_LISTS.flatMap(({ source, date, prices }) =>
    Object.entries(prices).map(
      ([model, { input, cached, output }]) =>
        `| \`${model}\` | ${input} | ${cached} | ${output} | [${date}](${source}) |`,
    ),
  );
  const listed = page.split("\n").filter((line) => line.includes("](https://") && line.startsWith("| `"));
  expect(listed).toEqual(rows);
});

test.each([
  ["sonnet", "claude-sonnet-4-5", 1, 1],
  ["opus", "claude-opus-4-1", 1, 1],
  ["haiku", "claude-haiku-4-5", 1, 1],
  ["opusplan", "claude-opus-4-1", 1, 1],
  ["sonnet[1m]", "claude-sonnet-4-5", 2, 1.5],
  ["claude-sonnet-4-5[1m]", "claude-sonnet-4-5", 2, 1.5],
])("the alias %s costs what the dearest model costs that it can mean", (alias, model, input, output) => {
  const prices = priceTable();
  const dearest = prices.priceOf(model);
  expect(prices.priceOf(alias)).toMatchObject({
    input: (dearest?.input ?? 0) * input,
    output: (dearest?.output ?? 0) * output,
  });
  expect(priceTable({ [alias]: { input: 7, output: 8 } }).priceOf(alias)).toMatchObject({
    input: 7,
    output: 8,
  });
});

test("gpt-5-codex has a price, and names of no family have none", () => {
  expect(priceTable().priceOf("gpt-5-codex")).toBeDefined();
  for (const name of ["auto", "sonnets", "my-opus", "unknown[1m]"])
    expect(priceTable().priceOf(name)).toBeUndefined();
});

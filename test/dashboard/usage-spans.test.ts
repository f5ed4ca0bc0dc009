import { expect, test } from "vitest";
import { measureOf, spentText, sumOf, unpricedText } from "../../dashboard/src/pages/usage/usage-figures.ts";
import { daysOf, spanOf } from "../../dashboard/src/pages/usage/usage-spans.ts";

test("a chart has every day of its period, also those without usage", () => {
  expect(daysOf({ since: "2026-02-26T10:00:00Z", until: "2026-03-01T09:00:00Z" })).toEqual([
    "2026-02-26",
    "2026-02-27",
    "2026-02-28",
    "2026-03-01",
  ]);
  expect(daysOf({ since: "2026-02-26T00:00:00Z", until: "2026-02-27T00:00:00Z" })).toEqual(["2026-02-26"]);
});

test("an address without a period, or with one that there is not, shows a month", () => {
  expect([null, "", "1y", "7d"].map(spanOf)).toEqual(["30d", "30d", "30d", "7d"]);
});

const row = (tokens: number, cost_usd: number | null) => ({
  ...{ input_tokens: tokens, output_tokens: 0, cached_tokens: 0, cost_usd },
  unpriced_tokens: cost_usd === null ? tokens : 0,
});

test("costs that are not known are no zeros", () => {
  expect(sumOf([row(10, null), row(20, null)])).toMatchObject({ cost_usd: null, unpriced_tokens: 30 });
  expect(sumOf([row(10, null), row(20, 0.5)])).toMatchObject({ cost_usd: 0.5, unpriced_tokens: 10 });
  expect([spentText(row(10, null)), spentText(row(10, 0)), spentText(row(10, 0.001))]).toEqual([
    "unknown",
    "$0.00",
    "< $0.01",
  ]);
  expect(unpricedText(sumOf([row(1_000, null), row(20, 0.5)]))).toBe("plus 1K tokens of unknown price");
  expect(unpricedText(row(20, 0.5))).toBeUndefined();
});

test("bars are of money where some is known, and else of tokens", () => {
  expect(measureOf([row(10, null), row(20, 0.5)]).name).toBe("Cost");
  expect(measureOf([row(10, null)]).name).toBe("Tokens");
});

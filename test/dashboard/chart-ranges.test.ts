import { expect, test } from "vitest";
import { deliveriesAt, rangeOf, roundHeight, runsAt } from "../../dashboard/src/pages/overview/ranges.ts";

test("a chart is as high as its highest bar, rounded up to a number that reads well, and so does its half", () => {
  expect([0, 1, 2, 3, 7, 12, 45, 99, 101, 2_400].map(roundHeight)).toEqual([
    2, 2, 2, 4, 8, 20, 60, 100, 200, 4_000,
  ]);
});

test("an address without a range, or with one that there is not, shows a day", () => {
  expect([null, "", "1y", "7d"].map(rangeOf)).toEqual(["24h", "24h", "24h", "7d"]);
});

test("a span leads to its deliveries and its runs by the parameters of their pages", () => {
  const span = { since: "2026-03-10T22:00:00.000Z", until: "2026-03-10T23:00:00.000Z" };
  expect(deliveriesAt(span, { outcome: "Accepted" })).toBe(
    "/deliveries?outcome=Accepted&since=2026-03-10T22%3A00%3A00.000Z&until=2026-03-10T23%3A00%3A00.000Z",
  );
  expect(runsAt(span)).toBe(
    "/runs?created_after=2026-03-10T22%3A00%3A00.000Z&created_before=2026-03-10T23%3A00%3A00.000Z",
  );
});

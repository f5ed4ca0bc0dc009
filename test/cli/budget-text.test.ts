import { expect, test } from "vitest";
import { budgetText } from "../../src/cli/factories/status.ts";

const USED = { usdPerDay: 1.25, runsPerDay: 3 };

test("a budget is shown with what is used of it, a limit a line", () => {
  const limits = { usdPerDay: 10, runsPerDay: 20, usdPerRun: 0.5, tokensPerRun: 1_000 };
  expect(budgetText({ ...limits, onExhausted: "wait", used: USED, opens_at: null }).split("\n")).toEqual([
    "$1.25 of $10.00 used in the last 24 hours",
    "3 of 20 runs started in the last 24 hours",
    "$0.50 for each run",
    "1000 tokens for each run",
  ]);
});

test("a budget that is used up says what becomes of further runs, and until when", () => {
  const text = (onExhausted: "wait" | "skip") =>
    budgetText({ usdPerDay: 1, onExhausted, used: USED, opens_at: "2026-11-28T10:01:00.000Z" });
  expect(text("wait")).toContain("used up: further runs wait until 2026-11-28T10:01:00.000Z");
  expect(text("skip")).toContain("used up: further runs are skipped until 2026-11-28T10:01:00.000Z");
});

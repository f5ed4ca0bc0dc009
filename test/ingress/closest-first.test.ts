import { expect, test } from "vitest";
import { type AutomationExplanation, type Check, closestFirst, whyNot } from "../../src/ingress/explain.ts";

const webhook = (passed: boolean): Check => ({ check: "webhook", passed, reason: "it is", field: null });
const clause = (field: string, passed: boolean): Check => ({
  check: "payload",
  passed,
  reason: `expected a, found ${passed ? "a" : "b"}`,
  field,
});
const automation = (
  name: string,
  triggers: Check[][],
  more: Partial<AutomationExplanation> = {},
): AutomationExplanation => ({ name, enabled: true, wouldTrigger: false, triggers, ...more });

const FITTING = [webhook(true), clause("kind", true)];

test("automations that would start come first, then those with the fewest conditions that are not met", () => {
  const all = [
    automation("elsewhere", [[webhook(false)]]),
    automation("scheduled", []),
    automation("two missing", [[webhook(true), clause("a", false), clause("b", false), clause("c", true)]]),
    automation("disabled", [FITTING], { enabled: false }),
    automation("one missing of two", [[webhook(true), clause("a", false)]]),
    automation("one missing of three", [[webhook(true), clause("a", false), clause("b", true)]]),
    automation("starts", [FITTING], { wouldTrigger: true }),
  ];
  expect(closestFirst(all).map(({ name }) => name)).toEqual([
    "starts",
    "disabled",
    "one missing of three",
    "one missing of two",
    "two missing",
    "elsewhere",
    "scheduled",
  ]);
});

test("the closest of several triggers counts, and equal ones keep the order of the definition", () => {
  const near = [[webhook(false)], [webhook(true), clause("a", false)]];
  const all = [
    automation("far", [[webhook(true), clause("a", false), clause("b", false)]]),
    automation("near", near),
    automation("near too", [...near].reverse()),
  ];
  expect(closestFirst(all).map(({ name }) => name)).toEqual(["near", "near too", "far"]);
});

test("each automation that does not start has a reason", () => {
  expect(whyNot(automation("a", [FITTING], { wouldTrigger: true }))).toBeUndefined();
  expect(whyNot(automation("a", []))).toBe("It has no trigger that reacts to deliveries.");
  expect(whyNot(automation("a", [FITTING], { enabled: false }))).toBe(
    "It is disabled; otherwise it would start a run.",
  );
  const missing = [webhook(true), clause("a", false), clause("b", false)];
  expect(whyNot(automation("a", [missing]))).toBe(
    "1 of 3 conditions are met. Not met: a (expected a, found b), and 1 more.",
  );
  expect(whyNot(automation("a", [[webhook(false)]], { enabled: false }))).toBe(
    "It is disabled. 0 of 1 conditions are met. Not met: webhook (it is).",
  );
});

import { describe, expect, test } from "vitest";
import {
  type Budgets,
  isPassed,
  isUsedUp,
  overBudgetMessage,
  turnBudgetOf,
} from "../../../src/runs/rules/budget.ts";

const RUN = { id: "r", ancestors: [], factoryUid: "f", agentUid: "b", automationUid: "a", config: {} };
const FAMILY = { rootId: "r", factoryUid: "f" };
const FACTORY = { uid: "f", kind: "factory", name: "acme" } as const;
const AUTOMATION = { uid: "a", kind: "automation", name: "review" } as const;

describe("the budget of a turn", () => {
  test("has the tightest limit of all whose run it is, and of its request", () => {
    const budgets: Budgets = {
      f: { kind: "factory", name: "acme", usdPerRun: 2, tokensPerRun: 500, usdPerDay: 10 },
      b: { kind: "agent", name: "boss", usdPerRun: 3, tokensPerRun: 1_000 },
      a: { kind: "automation", name: "review", usdPerRun: 1, onExhausted: "skip", usdPerDay: 5 },
      other: { kind: "automation", name: "other", usdPerRun: 0.1 },
    };
    expect(turnBudgetOf(RUN, budgets)).toEqual({
      familyUsd: { most: 1, owner: AUTOMATION, ...FAMILY },
      tokensPerRun: { most: 500, owner: FACTORY },
      days: [
        { most: 10, owner: FACTORY, skips: false },
        { most: 5, owner: AUTOMATION, skips: true },
      ],
    });
    const asked = (budget: object) => turnBudgetOf({ ...RUN, config: { budget } }, budgets)?.familyUsd;
    expect(asked({ usdPerRun: 0.5 })).toEqual({ most: 0.5, owner: null, ...FAMILY });
    expect(asked({ usdPerRun: 50 })).toEqual({ most: 1, owner: AUTOMATION, ...FAMILY });
  });

  test("of a run with a root has its own limit, that of the root for the family, and the day of the root's automation", () => {
    const budgets: Budgets = {
      f: { kind: "factory", name: "acme", usdPerRun: 2 },
      a: { kind: "automation", name: "review", usdPerRun: 1, tokensPerRun: 9, usdPerDay: 5, runsPerDay: 1 },
    };
    const child = { ...RUN, id: "c", ancestors: ["r"], automationUid: null, rootAutomationUid: "a" };
    const own = {
      usdPerRun: { most: 2, owner: FACTORY },
      days: [{ most: 5, owner: AUTOMATION, skips: false }],
    };
    const familyUsd = { most: 1, owner: AUTOMATION, ...FAMILY };
    expect(turnBudgetOf(child, budgets, RUN)).toEqual({ ...own, familyUsd });
    const cheap = { ...RUN, config: { budget: { usdPerRun: 0.5 } } };
    expect(turnBudgetOf(child, budgets, cheap)).toMatchObject({ familyUsd: { most: 0.5, owner: null } });
    // Of a root that is gone, its automation is known.
    expect(turnBudgetOf(child, budgets)).toEqual({ ...own, familyUsd });
    // No factory limits the runs of another one.
    expect(turnBudgetOf({ ...child, rootAutomationUid: null }, budgets, { ...RUN, factoryUid: "g" })).toEqual(
      {
        usdPerRun: own.usdPerRun,
        days: [],
      },
    );
  });

  test("has the day of an automation once that has started the family and the run", () => {
    const budgets: Budgets = { a: { kind: "automation", name: "review", usdPerDay: 5 } };
    const again = { ...RUN, ancestors: ["x"], rootAutomationUid: "a" };
    expect(turnBudgetOf(again, budgets)).toEqual({ days: [{ most: 5, owner: AUTOMATION, skips: false }] });
  });

  test("is nothing where only starts are limited", () => {
    expect(turnBudgetOf(RUN, { f: { kind: "factory", name: "acme", runsPerDay: 1 } })).toBeUndefined();
  });
});

test("a limit that is reached is used up, and passed only beyond it, whatever adding up costs has added", () => {
  const tenCents = Array.from({ length: 10 }).reduce<number>((sum) => sum + 0.1, 0);
  expect([tenCents === 1, isUsedUp(tenCents, 1), isPassed(tenCents, 1)]).toEqual([false, true, false]);
  expect([isUsedUp(0.999_999, 1), isPassed(1.000_001, 1)]).toEqual([false, true]);
});

test("a run that is ended is told how much it has used, of whose limit, and what to do", () => {
  const message = overBudgetMessage({ limit: "usdPerRun", most: 1, used: 1.2, owner: AUTOMATION });
  expect(message).toBe(
    "The run has used $1.20, and the automation review limits each run to $1.00 (usdPerRun). Raise the budget, or give the agent a smaller task.",
  );
  const ofFamily = { limit: "usdPerRun", most: 1, used: 1.2, owner: AUTOMATION, family: "r" } as const;
  expect(overBudgetMessage(ofFamily)).toContain(
    "The family of run r has used $1.20, and the automation review limits each run to $1.00 together with all runs that descend from it (usdPerRun).",
  );
  expect(overBudgetMessage({ limit: "tokensPerRun", most: 1, used: 2, owner: null })).toContain(
    "The run has used 2 tokens, and its request limits it to 1 token (tokensPerRun).",
  );
});

import { describe, expect, test } from "vitest";
import type { AutomationTraffic, Traffic } from "../../src/plans/plan-report.ts";
import { comparison } from "../../src/plans/plan-text.ts";
import { priceTraffic } from "../../src/plans/planner.ts";

const traffic = (before: number, after: number, more: Partial<AutomationTraffic> = {}) => ({
  ...{ name: "triage", before, after, starts: [], stops: [] },
  ...more,
});

describe("a plan says what runs cost", () => {
  test.each([
    [
      6,
      47,
      0.3,
      50,
      "47 runs instead of 6: 41 more runs a week, about $12 (median of the automation's last 50 runs)",
    ],
    [
      47,
      6,
      0.3,
      3,
      "6 runs instead of 47: 41 fewer runs a week, about $12 less (median of the automation's last 3 runs)",
    ],
    [1, 2, 0.255, 1, "2 runs instead of 1: 1 more run a week, about $0.26 (as its last run)"],
    [
      1,
      0,
      0.001,
      2,
      "0 runs instead of 1: 1 fewer run a week, less than $0.01 (median of the automation's last 2 runs)",
    ],
    [
      0,
      2_000,
      3,
      50,
      "2000 runs instead of 0: 2000 more runs a week, about $6,000 (median of the automation's last 50 runs)",
    ],
    [
      0,
      2,
      0,
      50,
      "2 runs instead of 0: 2 more runs a week, about $0 (median of the automation's last 50 runs)",
    ],
  ])("%d to %d at $%d of %d runs", (before, after, median, runs, said) => {
    expect(comparison(traffic(before, after, { cost: { median, runs } }))).toBe(said);
  });

  test("and nothing where that is not known, or their number stays", () => {
    expect(comparison(traffic(6, 47))).toBe("47 runs instead of 6");
    const cost = { median: 1, runs: 50 };
    expect(comparison(traffic(6, 6, { cost }))).toBe("6 runs as before, but for different deliveries");
  });
});

describe("the cost of a run", () => {
  const active = { uidOf: (kind: string, name: string) => (name === "new" ? undefined : `${kind}-${name}`) };
  const priced = (found: Traffic, costs: number[]) => {
    const asked: string[] = [];
    const listRunCosts = async (uid: string) => {
      asked.push(uid);
      return costs;
    };
    const pricing = priceTraffic(found, { active: active as never }, { listRunCosts });
    return pricing.then(({ automations }) => ({ asked, costs: automations.map(({ cost }) => cost) }));
  };
  const ofWeek = (...automations: AutomationTraffic[]): Traffic => ({
    ...{ since: "2026-11-14T10:00:00.000Z", deliveries: 100, complete: true, automations },
  });

  test.each([
    [[0.5], 0.5],
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
  ])("is the median of %j", async (costs, median) => {
    const found = await priced(ofWeek(traffic(1, 2)), costs);
    expect(found).toEqual({ asked: ["automation-triage"], costs: [{ median, runs: costs.length }] });
  });

  test("is that of automations that are there, and of which other runs would start", async () => {
    const found = ofWeek(traffic(1, 2, { name: "new" }), traffic(2, 2));
    expect(await priced(found, [1])).toEqual({ asked: [], costs: [undefined, undefined] });
  });

  test("is not told without costs, or where not all deliveries of the week were replayed", async () => {
    expect((await priced(ofWeek(traffic(1, 2)), [])).costs).toEqual([undefined]);
    const part = { ...ofWeek(traffic(1, 2)), complete: false };
    expect(await priced(part, [1])).toEqual({ asked: [], costs: [undefined] });
  });
});

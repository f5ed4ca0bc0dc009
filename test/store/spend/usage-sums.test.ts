import { describe, expect, test } from "vitest";
import {
  costliestRuns,
  type Span,
  sumUsage,
  USAGE_GROUPS,
  type UsageGroup,
  usageReport,
} from "../../../src/insight/usage.ts";
import type { NewRun } from "../../../src/runs/run.ts";
import { usageSums } from "../../../src/store/spend/spend-store.ts";
import { aStoreOf, usageOf, usedRun } from "../../given/factory.ts";
import { onSqlite } from "../../given/postgres.ts";
import { aRun, aStore } from "../../given/store.ts";

const at = (day: number, hour = 10) => new Date(Date.UTC(2026, 10, day, hour)).toISOString();
const NOW = new Date(at(30));
const NOVEMBER = { from: at(1, 0), to: at(31, 0) };

/** Runs of two automations and of none, on several days. */
async function spending() {
  const store = await aStoreOf("f");
  const ofA = { factoryUid: "f", automationUid: "a", agentUid: "g" };
  const long = await usedRun(
    store,
    ofA,
    { at: at(10), endedAt: at(10, 11), usage: [usageOf("opus", 100, 2), usageOf("haiku", 10, 0.5)] },
    { at: at(12), endedAt: at(12, 12), usage: [usageOf("opus", 200, 4)] },
  );
  const unpriced = await usedRun(store, ofA, { at: at(12), endedAt: at(12, 11), usage: [usageOf("x", 100)] });
  const other = await usedRun(
    store,
    { ...ofA, automationUid: "b" },
    {
      at: at(12),
      endedAt: at(12, 11),
      usage: [usageOf("opus", 1_000, 8)],
      resources: { cpuMs: 1_000, peakMemoryBytes: 70 },
    },
  );
  const silent = await usedRun(store, {}, { at: at(14), endedAt: at(14, 11) });
  const report = async (by: UsageGroup, span: Span = NOVEMBER, factory?: string) => {
    const isAsked = (uid: string | null) => factory === undefined || uid === factory;
    const rows = usageReport(by, await sumUsage(by, { span, now: NOW }, store.spend), isAsked);
    return rows.map(({ factoryUid, key, runs, inputTokens, costUsd, unpricedTokens }) => [
      ...[factoryUid, key, runs, inputTokens, costUsd, unpricedTokens],
    ]);
  };
  return { ...store, long, unpriced, other, silent, report };
}

describe("usage is summed", () => {
  test("by automation, with each run counted once, however many turns, days and models it has", async () => {
    const { report } = await spending();
    expect(await report("automation")).toEqual([
      ["f", "a", 2, 410, 6.5, 110],
      ["f", "b", 1, 1_000, 8, 0],
      [null, null, 1, 0, null, 0],
    ]);
  });

  test("by agent and by factory", async () => {
    const { report } = await spending();
    expect(await report("agent")).toEqual([
      ["f", "g", 3, 1_410, 14.5, 110],
      [null, null, 1, 0, null, 0],
    ]);
    expect(await report("factory")).toEqual([
      ["f", null, 3, 1_410, 14.5, 110],
      [null, null, 1, 0, null, 0],
    ]);
  });

  test("by model, of all factories together, where a cost that is not known is none", async () => {
    const { report } = await spending();
    expect((await report("model")).sort()).toEqual([
      [null, "haiku", 1, 10, 0.5, 0],
      [null, "opus", 2, 1_300, 14, 0],
      [null, "x", 1, 100, null, 110],
    ]);
  });

  test("by day in UTC, where a run that works on two days counts on both", async () => {
    const { report } = await spending();
    expect(await report("day")).toEqual([
      [null, "2026-11-10", 1, 110, 2.5, 0],
      [null, "2026-11-12", 3, 1_300, 12, 110],
      [null, "2026-11-14", 1, 0, null, 0],
    ]);
  });

  test("of a part of a day, and of one factory", async () => {
    const { report } = await spending();
    expect(await report("automation", { from: at(12, 12), to: at(12, 13) })).toEqual([
      ["f", "a", 1, 200, 4, 0],
    ]);
    expect(await report("factory", NOVEMBER, "f")).toEqual([["f", null, 3, 1_410, 14.5, 110]]);
    expect(await report("day", { from: at(12, 12), to: at(13) }, "f")).toEqual([
      [null, "2026-11-12", 1, 200, 4, 0],
    ]);
  });

  test("with the work of turns that have ended, and the runs that have told nothing", async () => {
    const { spend } = await spending();
    const rows = await sumUsage("automation", { span: NOVEMBER, now: NOW }, spend);
    expect(rows).toMatchObject([
      { key: "a", workedMs: 4 * 3_600_000, cpuMs: null, peakMemoryBytes: null, runsWithoutUsage: 0 },
      { key: "b", workedMs: 3_600_000, cpuMs: 1_000, peakMemoryBytes: 70, runsWithoutUsage: 0 },
      { key: null, workedMs: 3_600_000, runsWithoutUsage: 1 },
    ]);
  });

  test("while a turn goes on", async () => {
    const store = await aStoreOf("f");
    await usedRun(store, { factoryUid: "f" }, { at: at(10), usage: [usageOf("opus", 100, 2)] });
    const rows = await sumUsage("factory", { span: NOVEMBER, now: NOW }, store.spend);
    expect(rows).toMatchObject([{ factoryUid: "f", runs: 1, costUsd: 2, workedMs: 0 }]);
  });

  test("of an earlier version by what its run belongs to, and of a run that is gone since", async () => {
    const { connection, report, runs, long } = await spending();
    const isKnown = ([factoryUid]: unknown[]) => factoryUid !== null;
    const before = (await report("automation")).filter(isKnown);
    const models = (await report("model")).sort();
    await connection.run(
      `UPDATE run_usage SET source = NULL, factory_uid = NULL, automation_uid = NULL, agent_uid = NULL, is_last = NULL,
         family_id = NULL`,
    );
    await connection.run("DELETE FROM run_turns");
    expect(await report("automation")).toEqual(before);
    expect((await report("model")).sort()).toEqual(models);
    expect(await report("factory", { from: at(10), to: at(11) })).toEqual([["f", null, 1, 110, 2.5, 0]]);
    await runs.forgetRun(long, at(15));
    expect(await report("automation")).toEqual(before);
    expect((await report("model")).sort()).toEqual(models);
  });

  test("as nothing where there is none", async () => {
    const { spend } = await aStore();
    expect(await sumUsage("day", { span: NOVEMBER, now: NOW }, spend)).toEqual([]);
  });
});

test("the usage of a run that is gone is forgotten so long after it was told, and that of others is not", async () => {
  const { runs, report, long, connection } = await spending();
  expect(await runs.forgetUsage(at(30), 100)).toBe(0);
  await runs.forgetRun(long, at(15));
  expect(await runs.forgetUsage(at(12, 12), 100)).toBe(2);
  expect(await report("automation")).toContainEqual(["f", "a", 2, 300, 4, 110]);
  await runs.forgetUsage(at(30), 1);
  expect(await report("automation")).toContainEqual(["f", "a", 1, 100, null, 110]);
  expect(await connection.all("SELECT 1 FROM run_turns WHERE run_is_gone = 1")).toEqual([]);
});

test("the costliest runs are those of the whole time, of the factories that are asked for", async () => {
  const { spend, long, other } = await spending();
  const costliest = async (span: Span, factoryUids: string[] | undefined, limit = 10) =>
    (await costliestRuns({ span, factoryUids, now: NOW }, limit, spend)).map(({ runId, costUsd }) => [
      runId,
      costUsd,
    ]);
  expect(await costliest(NOVEMBER, undefined)).toEqual([
    [other, 8],
    [long, 6.5],
  ]);
  expect(await costliest(NOVEMBER, ["f"], 1)).toEqual([[other, 8]]);
  expect(await costliest(NOVEMBER, ["another"])).toEqual([]);
  expect(await costliest(NOVEMBER, [])).toEqual([]);
  expect(await costliest({ from: at(10), to: at(11) }, undefined)).toEqual([[long, 2.5]]);
});

test("the costs of the last runs of an automation are those that are known as a whole, of runs that have ended", async () => {
  const store = await spending();
  const ofA = { factoryUid: "f", automationUid: "a" };
  await usedRun(store, ofA, {
    at: at(16),
    endedAt: at(16),
    usage: [usageOf("opus", 10, 1), usageOf("x", 10)],
  });
  await usedRun(store, ofA, { at: at(17), endedAt: at(17), usage: [usageOf("opus", 10, 9)] });
  await usedRun(store, ofA, { at: at(18), usage: [usageOf("opus", 10, 7)] });
  expect(await store.spend.listRunCosts("a", 50)).toEqual([9, 6.5]);
  expect(await store.spend.listRunCosts("a", 1)).toEqual([9]);
  expect(await store.spend.listRunCosts("c", 50)).toEqual([]);
  await store.runs.forgetRun(store.long, at(19));
  expect(await store.spend.listRunCosts("a", 50)).toEqual([9, 6.5]);
});

/** A root of an automation, the run of an agent below it, one of another factory below that, and a run of no family. */
async function family() {
  const store = await aStoreOf("f", "g");
  const use = (changes: Partial<NewRun>, costUsd: number | null, endedAt: string | undefined = at(12, 11)) =>
    usedRun(store, changes, {
      at: at(12),
      ...(endedAt === undefined ? {} : { endedAt }),
      usage: [usageOf("opus", 100, costUsd)],
    });
  const root = await use({ factoryUid: "f", automationUid: "a", agentUid: "boss" }, 1);
  const child = await use({ factoryUid: "f", agentUid: "coder", ancestors: [root] }, 2);
  const grandchild = await use({ factoryUid: "g", ancestors: [root, child] }, 4);
  await use({ factoryUid: "f", agentUid: "coder" }, 8);
  const report = async (by: UsageGroup, asked?: string, seen?: string) => {
    const sums = await sumUsage(by, { span: NOVEMBER, now: NOW }, store.spend);
    const only = (factory?: string) => (uid: string | null) => factory === undefined || uid === factory;
    return usageReport(by, sums, only(asked), only(seen)).map(
      ({ factoryUid, key, runs, costUsd, familyCostUsd }) => [factoryUid, key, runs, costUsd, familyCostUsd],
    );
  };
  return { ...store, use, root, child, grandchild, report };
}

const BY_AUTOMATION = [
  ["f", null, 2, 10, 8],
  ["f", "a", 1, 1, 7],
  ["g", null, 1, 4, null],
];
const byName = (rows: unknown[][]) => rows.toSorted((one, other) => (String(one) < String(other) ? -1 : 1));

describe("the cost of a family", () => {
  test("counts for what its root belongs to, beside what each run has cost by itself", async () => {
    const { report } = await family();
    expect(byName(await report("automation"))).toEqual(BY_AUTOMATION);
    expect(byName(await report("agent"))).toEqual([
      ["f", "boss", 1, 1, 7],
      ["f", "coder", 2, 10, 8],
      ["g", null, 1, 4, null],
    ]);
    expect(byName(await report("factory"))).toEqual([
      ["f", null, 3, 11, 15],
      ["g", null, 1, 4, null],
    ]);
    expect(await report("model")).toEqual([[null, "opus", 4, 15, 15]]);
    expect(await report("day")).toEqual([[null, "2026-11-12", 4, 15, 15]]);
  });

  test("is that of one factory with its families' runs elsewhere, and without them for who may not see these", async () => {
    const { report } = await family();
    expect(byName(await report("automation", "f"))).toEqual(BY_AUTOMATION.slice(0, 2));
    expect(byName(await report("automation", "f", "f"))).toEqual([
      ["f", null, 2, 10, 8],
      ["f", "a", 1, 1, 3],
    ]);
    expect(await report("automation", "g", "g")).toEqual([["g", null, 1, 4, null]]);
  });

  test("is there where the root has used nothing", async () => {
    const { report, connection, root } = await family();
    await connection.run("DELETE FROM run_usage WHERE run_id = $1", [root]);
    await connection.run("DELETE FROM run_turns WHERE run_id = $1", [root]);
    expect(await report("automation")).toContainEqual(["f", "a", 0, null, 6]);
  });

  test("stays the same when its runs go one by one, and in rows of an earlier version", async () => {
    const { report, runs, connection, root, child, grandchild } = await family();
    await connection.run(
      "UPDATE run_usage SET family_id = NULL, root_factory_uid = NULL, root_automation_uid = NULL, root_agent_uid = NULL",
    );
    expect(byName(await report("automation"))).toEqual(BY_AUTOMATION);
    for (const id of [child, root, grandchild]) {
      await runs.forgetRun(id, at(15));
      expect(byName(await report("automation"))).toEqual(BY_AUTOMATION);
    }
    const names = JSON.stringify(await connection.all("SELECT run_id FROM run_usage"));
    for (const id of [child, root, grandchild]) expect(names).not.toContain(id);
  });

  test("is that of a root by its id, also of runs that were deleted, and only of factories that count", async () => {
    const { runs, root, child, grandchild } = await family();
    expect(await runs.listFamilyCosts([root], null)).toEqual({ [root]: 7 });
    expect(await runs.listFamilyCosts([root], ["f"])).toEqual({ [root]: 3 });
    expect(await runs.listFamilyCosts([root], [])).toEqual({ [root]: null });
    await runs.forgetRun(child, at(15));
    expect(await runs.listFamilyCosts([root, grandchild], null)).toEqual({ [root]: 7, [grandchild]: 4 });
    expect(await runs.listFamilyCosts([root], ["f"])).toEqual({ [root]: 3 });
  });

  test("is what a run of its automation costs, once all of it has ended and is known", async () => {
    const { spend, use, root, runs, child } = await family();
    const costs = () => spend.listRunCosts("a", 50);
    expect(await costs()).toEqual([7]);
    const second = await use({ factoryUid: "f", automationUid: "a" }, 1);
    await use({ factoryUid: "f", ancestors: [second] }, null);
    const third = await use({ factoryUid: "f", automationUid: "a" }, 16);
    expect(await costs()).toEqual([16, 7]);
    await runs.create(aRun({ factoryUid: "f", ancestors: [third] }), at(13));
    expect(await costs()).toEqual([7]);
    for (const id of [root, child]) await runs.forgetRun(id, at(15));
    expect(await costs()).toEqual([7]);
  });

  test("is told with the costliest runs: of a root, in the time that is asked for", async () => {
    const { spend, root, child, use } = await family();
    await use({ factoryUid: "f", ancestors: [root] }, 32);
    const listed = async (seen?: string[]) =>
      (await costliestRuns({ span: NOVEMBER, factoryUids: undefined, seen, now: NOW }, 10, spend)).map(
        ({ runId, costUsd, familyCostUsd }) => [runId, costUsd, familyCostUsd],
      );
    expect(await listed()).toContainEqual([root, 1, 39]);
    expect(await listed()).toContainEqual([child, 2, null]);
    expect(await listed(["f"])).toContainEqual([root, 1, 35]);
    expect(await spend.listRunSpend([root], { from: at(13), to: at(14) })).toEqual([]);
  });
});

onSqlite.each(USAGE_GROUPS)("a sum by %s reads what was used in its part alone, by its time", async (by) => {
  const { connection } = await aStore();
  const values = [at(1), at(2), at(1), at(30)];
  const plan = await connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${usageSums(by)}`, values);
  const looks = plan.map(({ detail }) => detail).filter((detail) => /^(SCAN|SEARCH) /.test(detail));
  expect(looks).toContain("SEARCH u USING INDEX run_usage_by_time (reported_at>? AND reported_at<?)");
  const others = looks.filter((look) => !look.includes("_by_time "));
  for (const look of others)
    expect(look).toMatch(
      /^(SCAN used|SEARCH \w+ USING (PRIMARY KEY|INDEX sqlite_autoindex_runs_1) \(run_id=\?)/,
    );
});

import { describe, expect, test } from "vitest";
import type { RunGroup, SpendGroup } from "../../../src/insight/factory-metrics-store.ts";
import { aStoreOf, usageOf, usedRun } from "../../given/factory.ts";

const at = (day: number, hour = 10) => new Date(Date.UTC(2026, 10, day, hour)).toISOString();
const day = (number: number) => ({ from: at(number, 0), to: at(number + 1, 0) });
const NOVEMBER = { from: at(1, 0), to: at(31, 0) };
const ANN = { uid: "ann", type: "user" as const, displayName: "Ann" };
const BOSS = { uid: "boss", type: "service_account" as const, displayName: "boss" };

const configOf = (name: string) => ({ name, harness: { type: "claude" } });

/** Ann starts "root" in the factory "f", which starts "child"; "other" is of the factory "g", and "stranger" is its child in "f". */
async function families() {
  const store = await aStoreOf("f", "g");
  const used = (number: number, model: string, cost: number | null) => ({
    at: at(number),
    endedAt: at(number, 11),
    usage: [usageOf(model, 100, cost)],
  });
  const ofF = { factoryUid: "f", agentUid: "boss", config: configOf("boss") };
  const started = { source: "ORCHESTRATION" as const, creator: BOSS, config: configOf("another name") };
  const root = await usedRun(store, { ...ofF, creator: ANN, source: "API" }, used(10, "opus", 2));
  const child = await usedRun(store, { ...ofF, ...started, ancestors: [root] }, used(11, "haiku", 1));
  const other = await usedRun(store, { factoryUid: "g", creator: ANN, source: "API" }, used(11, "opus", 8));
  const stranger = await usedRun(store, { ...ofF, ...started, ancestors: [other] }, used(12, "opus", null));
  await store.runs.updateListing(100);
  const counts = async (by: RunGroup, span = NOVEMBER) =>
    (await store.factoryMetrics.listRunCounts("f", by, span)).map(({ key, runs, rootRuns }) => [
      key,
      runs,
      rootRuns,
    ]);
  const spend = async (by: SpendGroup, span = NOVEMBER) =>
    (await store.factoryMetrics.listSpend("f", by, span)).map(({ key, label, costUsd, unpricedTokens }) => [
      ...[key, label, costUsd, unpricedTokens],
    ]);
  return { ...store, root, child, other, stranger, counts, spend };
}

describe("the runs of a factory", () => {
  test("are counted by what they are, and told from those that others have started", async () => {
    const { counts } = await families();
    expect(await counts("root_vs_subrun")).toEqual([
      ["ROOT", 1, 1],
      ["SUBRUN", 2, 0],
    ]);
    expect(await counts("source")).toEqual([
      ["API", 1, 1],
      ["ORCHESTRATION", 2, 0],
    ]);
    expect(await counts("status")).toEqual([["SUCCEEDED", 3, 1]]);
    expect(await counts("agent_type")).toEqual([["boss", 3, 1]]);
    expect(await counts("harness")).toEqual([["claude", 3, 1]]);
  });

  test("are counted where they were created, and the first of all is known", async () => {
    const { counts, factoryMetrics } = await families();
    expect(await counts("status", day(11))).toEqual([["SUCCEEDED", 1, 0]]);
    expect(await counts("status", { from: at(10), to: at(11) })).toEqual([["SUCCEEDED", 1, 1]]);
    expect(await counts("status", day(13))).toEqual([]);
    expect(await factoryMetrics.findFirstRun()).toBe(at(10));
    expect(await (await aStoreOf("f")).factoryMetrics.findFirstRun()).toBeUndefined();
  });
});

describe("the spend of a factory", () => {
  test("is that of the run that a family began with, unless that is another factory's", async () => {
    const { spend } = await families();
    expect(await spend("user")).toEqual([
      ["ann", "Ann", 3, 0],
      ["boss", "boss", 0, 110],
    ]);
    expect(await spend("source")).toEqual([
      ["API", null, 3, 0],
      ["ORCHESTRATION", null, 0, 110],
    ]);
  });

  test("is that of each run by agent and model, when it was used", async () => {
    const { spend } = await families();
    expect(await spend("agent")).toEqual([["boss", null, 3, 110]]);
    expect(await spend("model")).toEqual([
      ["haiku", null, 1, 0],
      ["opus", null, 2, 110],
    ]);
    expect(await spend("model", day(11))).toEqual([["haiku", null, 1, 0]]);
  });

  test("stays when the run is deleted, without what nobody knows any more", async () => {
    const { spend, runs, child } = await families();
    await runs.forgetRun(child, at(20));
    expect(await spend("source")).toEqual(
      expect.arrayContaining([
        [null, null, 1, 0],
        ["API", null, 2, 0],
      ]),
    );
    expect(await spend("agent")).toEqual([["boss", null, 3, 110]]);
  });

  test("of a family is that of all its runs in the factory", async () => {
    const { factoryMetrics, root, other } = await families();
    const nobody = Array.from({ length: 90 }, (_, index) => `nobody ${index}`);
    expect(await factoryMetrics.listTreeSpend("f", [...nobody, root, other])).toEqual([
      { rootId: root, model: "haiku", costUsd: 1, unpricedTokens: 0 },
      { rootId: root, model: "opus", costUsd: 2, unpricedTokens: 0 },
      { rootId: other, model: "opus", costUsd: 0, unpricedTokens: 110 },
    ]);
    expect(await factoryMetrics.listTreeSpend("f", [])).toEqual([]);
  });
});

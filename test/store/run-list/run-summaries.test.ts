import { expect, test } from "vitest";
import type { RunState } from "../../../src/runs/rules/state.ts";
import type { NewRun } from "../../../src/runs/run.ts";
import type { RunGroup } from "../../../src/runs/run-query.ts";
import { runSummaryStore } from "../../../src/store/run-list/run-summaries.ts";
import type { Database } from "../../../src/store/sqlite/database.ts";
import { onSqlite } from "../../given/postgres.ts";
import { aRun, aStore } from "../../given/store.ts";

const BY_AUTOMATION: RunGroup = { by: "automation", uids: ["a", "b", "without runs"] };
const BEGINS = Date.parse("2026-11-21T10:00:00.000Z");

/** A store in which runs begin a minute after each other, and a run can be put into any state. */
async function summaryStore() {
  const store = await aStore();
  let minutes = 0;
  const add = async (state: RunState, changes: Partial<NewRun> = {}, minute?: number) => {
    minutes += 1;
    const at = new Date(BEGINS + (minute ?? minutes) * 60_000).toISOString();
    const run = await store.runs.create(aRun({ factoryUid: "factory", automationUid: "a", ...changes }), at);
    await store.connection.run("UPDATE runs SET state = $1 WHERE run_id = $2", [state, run.id]);
    return run.id;
  };
  const summary = async (group: RunGroup) => (await store.runSummaries.listSummaries(group))[0];
  return { ...store, add, summary };
}

test("the last run and the outcomes of the ended runs of each automation are listed", async () => {
  const { add, runSummaries } = await summaryStore();
  await add("SUCCEEDED");
  await add("FAILED");
  await add("ERROR");
  await add("CANCELLED");
  const blocked = await add("BLOCKED", { title: "Look at it" });
  const other = await add("SUCCEEDED", { automationUid: "b" });
  const found = await runSummaries.listSummaries(BY_AUTOMATION);
  expect(found.sort((a, b) => (a.uid < b.uid ? -1 : 1))).toMatchObject([
    {
      uid: "a",
      last: { id: blocked, title: "Look at it", state: "BLOCKED" },
      succeeded: 1,
      failed: 2,
      cancelled: 1,
    },
    { uid: "b", last: { id: other, state: "SUCCEEDED" }, succeeded: 1, failed: 0, cancelled: 0 },
  ]);
});

test("before any run has ended, there are last runs and no outcomes", async () => {
  const { add, summary } = await summaryStore();
  expect(await summary(BY_AUTOMATION)).toBeUndefined();
  const last = await add("QUEUED");
  const none = { succeeded: 0, failed: 0, cancelled: 0 };
  expect(await summary(BY_AUTOMATION)).toMatchObject({ last: { id: last }, ...none });
});

test("the rate is made of the last fifty runs that ended, whatever waits behind them", async () => {
  const { add, summary } = await summaryStore();
  for (let n = 0; n < 10; n += 1) await add("FAILED");
  for (let n = 0; n < 50; n += 1) await add("SUCCEEDED");
  let last = "";
  for (let n = 0; n < 60; n += 1) last = await add("QUEUED");
  expect(await summary(BY_AUTOMATION)).toMatchObject({ last: { id: last }, succeeded: 50, failed: 0 });
});

test("runs of a webhook are those that it started for its factory, and not those of another under the same uid", async () => {
  const { add, summary } = await summaryStore();
  const own = await add("SUCCEEDED", { webhookUid: "w" });
  await add("FAILED", { webhookUid: "w", factoryUid: "another" });
  await add("FAILED");
  const group: RunGroup = { by: "webhook", webhooks: [{ factoryUid: "factory", uid: "w" }] };
  expect(await summary(group)).toMatchObject({ uid: "w", last: { id: own }, succeeded: 1, failed: 0 });
});

test("the last run comes with the last pull request that it reported", async () => {
  const { add, summary, runs } = await summaryStore();
  const id = await add("SUCCEEDED");
  const report = (n: number, type: "PULL_REQUEST" | "EXTERNAL_REFERENCE") => {
    const data = { artifact_uid: `artifact-${n}`, url: `https://example.com/${n}` };
    const artifact = { id: `artifact-${n}`, turn: 1, type, data, createdAt: new Date().toISOString() };
    return runs.addArtifact(id, artifact, { count: 10, bytes: 10_000 });
  };
  await report(1, "PULL_REQUEST");
  await report(2, "PULL_REQUEST");
  await report(3, "EXTERNAL_REFERENCE");
  expect((await summary(BY_AUTOMATION))?.last?.pullRequestUrl).toBe("https://example.com/2");
});

test("a deleted run leaves nothing in a summary", async () => {
  const { add, summary, runs } = await summaryStore();
  const kept = await add("SUCCEEDED");
  const gone = await add("FAILED");
  await runs.forgetRun(gone, new Date().toISOString());
  expect(await summary(BY_AUTOMATION)).toMatchObject({ last: { id: kept }, succeeded: 1, failed: 0 });
  await runs.forgetRun(kept, new Date().toISOString());
  expect(await summary(BY_AUTOMATION)).toBeUndefined();
});

test("runs of automations are counted by the hour of their creation", async () => {
  const { add, runSummaries } = await summaryStore();
  await add("FAILED", {}, -1);
  await add("SUCCEEDED", {}, 0);
  await add("FAILED", {}, 1);
  await add("SUCCEEDED", {}, 61);
  await add("SUCCEEDED", { automationUid: null });
  const counts = await runSummaries.listHourlyRuns(BEGINS);
  expect(counts).toEqual([
    { automationUid: "a", hour: BEGINS, runs: 2, failed: 1 },
    { automationUid: "a", hour: BEGINS + 3_600_000, runs: 1, failed: 0 },
  ]);
});

test("runs of agents are counted up to a number", async () => {
  const { add, runSummaries } = await summaryStore();
  const executor = { uid: "boss", type: "service_account", displayName: "boss" } as const;
  for (let n = 0; n < 4; n += 1) await add("SUCCEEDED", { executor });
  expect(await runSummaries.listRunCounts(["boss", "nobody"], 10)).toEqual({ boss: 4 });
  expect(await runSummaries.listRunCounts(["boss"], 3)).toEqual({ boss: 3 });
  expect((await runSummaries.listSummaries({ by: "agent", uids: ["boss"] }))[0]?.succeeded).toBe(4);
});

onSqlite("no statement goes through the table of runs or its list as a whole", async () => {
  const { add, connection } = await summaryStore();
  await add("SUCCEEDED", { webhookUid: "w" });
  const steps: string[] = [];
  const explained: Database = {
    ...connection,
    undone: 0,
    async all(sql, values) {
      const plan = await connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values);
      steps.push(...plan.map(({ detail }) => detail));
      return connection.all(sql, values);
    },
  };
  const store = runSummaryStore(explained);
  await store.listSummaries(BY_AUTOMATION);
  await store.listSummaries({ by: "agent", uids: ["boss"] });
  await store.listSummaries({ by: "webhook", webhooks: [{ factoryUid: "factory", uid: "w" }] });
  await store.listHourlyRuns(BEGINS);
  await store.listRunCounts(["boss"], 10);
  for (const by of ["automation", "executor", "webhook"])
    expect(steps.join("\n")).toContain(`COVERING INDEX run_listing_by_${by} (${by}=?`);
  expect(steps.join("\n")).toContain("COVERING INDEX run_listing_in_creation_order (created_at>?");
  const scans = steps.filter(
    (step) => step.startsWith("SCAN") && !/^SCAN (counted|listed|rated|\(subquery)/.test(step),
  );
  expect(scans).toEqual([]);
});

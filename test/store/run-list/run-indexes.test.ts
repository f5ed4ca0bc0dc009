import { expect } from "vitest";
import { RUN_SORTS, type RunFilter } from "../../../src/runs/run-query.ts";
import { listRuns } from "../../../src/store/run-list/run-list.ts";
import type { Database } from "../../../src/store/sqlite/database.ts";
import { onSqlite } from "../../given/postgres.ts";
import { aQuery, aRun, aStore } from "../../given/store.ts";

const ENVIRONMENT = "A".repeat(22);
const FACETS: [column: string, filter: RunFilter][] = [
  // Its factory is not there.
  ["state", { states: ["CANCELLED"] }],
  ["source", { sources: ["API"] }],
  ["audience", { factoryUids: ["factory"] }],
  ["creator", { creator: "ann" }],
  ["executor", { executor: "ann" }],
  ["name", { name: "nightly" }],
  ["model", { modelId: "large" }],
  ["environment", { environmentId: ENVIRONMENT }],
  ["environment", { environmentId: null }],
  ["automation", { automationId: "automation" }],
  ["schedule", { scheduleId: "schedule" }],
];

/** A store with a run that has every facet, and what SQLite does for each question that is put to it. */
async function explainedStore() {
  const { connection, runs } = await aStore();
  const ann = { uid: "ann", type: "user", displayName: "ann" } as const;
  const run = aRun({
    factoryUid: "factory",
    automationUid: "automation",
    source: "API",
    creator: ann,
    executor: ann,
    scheduleId: "schedule",
    config: { name: "nightly", model_id: "large", environment_id: ENVIRONMENT },
  });
  await runs.create(run, new Date().toISOString());
  await runs.updateListing(10);
  const steps: string[] = [];
  const explain = async (sql: string, values: Parameters<Database["all"]>[1]) => {
    const plan = await connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values);
    steps.push(...plan.map(({ detail }) => detail).filter((detail) => detail.includes("run_listing_")));
  };
  const asked: Database = {
    ...connection,
    async all(sql, values) {
      await explain(sql, values);
      return connection.all(sql, values);
    },
    async first(sql, values) {
      await explain(sql, values);
      return connection.first(sql, values);
    },
  };
  return { asked, steps };
}

onSqlite.each(FACETS)("runs of one %s are found by its index: %j", async (column, filter) => {
  const { asked, steps } = await explainedStore();
  for (const sort of RUN_SORTS) await listRuns(asked, aQuery(filter, { sort }));
  expect(steps.length).toBeGreaterThanOrEqual(RUN_SORTS.length);
  for (const step of steps) {
    expect(step).toMatch(
      new RegExp(`^SEARCH .* USING (COVERING )?INDEX run_listing_by_${column} \\(${column}=\\?`),
    );
  }
});

onSqlite("runs are found by how their ids begin, by the index of ids and no other", async () => {
  const { asked, steps } = await explainedStore();
  for (const sort of RUN_SORTS)
    await listRuns(asked, aQuery({ states: ["CANCELLED"], idStart: "01", text: "01" }, { sort }));
  const byId = steps.filter((step) => step.includes("autoindex"));
  expect(byId.length).toBeGreaterThanOrEqual(RUN_SORTS.length);
  for (const step of byId) {
    expect(step).toMatch(/^SEARCH .* USING (COVERING )?INDEX \S+ \(run_id>\? AND run_id<\?\)/);
  }
  expect(steps.filter((step) => step.startsWith("SCAN"))).toEqual([]);
});

import type {
  FactoryMetricsStore,
  GroupSpend,
  RunCount,
  RunGroup,
  SpendGroup,
  TreeSpend,
} from "../../insight/factory-metrics-store.ts";
import type { Run } from "../../runs/run.ts";
import { ownerOf, unpricedOf } from "../spend/spend-store.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

/** A run and all runs that it has started know the one that the family began with. */
const ROOT = "COALESCE(r.family_id, r.run_id)";

const RUN_KEYS: Readonly<Record<RunGroup, string>> = {
  agent_type: "r.agent_uid",
  status: "r.state",
  source: "r.source",
  root_vs_subrun: "CASE WHEN r.family_id IS NULL THEN 'ROOT' ELSE 'SUBRUN' END",
  model: "r.model_id",
  harness: "r.config",
};

/** Where a family began in another factory, its member counts by itself. */
const SPEND_KEYS: Readonly<Record<SpendGroup, string>> = {
  source: "COALESCE(root.source, r.source)",
  user: "COALESCE(root.creator_uid, r.creator_uid)",
  agent: ownerOf("agent_uid", "u"),
  model: "COALESCE(r.model_id, u.model)",
};

interface SpendRow {
  key: string | null;
  creator: string | null;
  cost: number | null;
  unpriced: number;
}

export function factoryMetricsStore(db: Database): FactoryMetricsStore {
  return {
    async findFirstRun() {
      const row = await db.first<{ first: number | null }>(
        "SELECT MIN(created_at) AS first FROM run_listing INDEXED BY run_listing_in_creation_order",
      );
      return row?.first == null ? undefined : new Date(row.first).toISOString();
    },
    async listRunCounts(factoryUid, by, { from, to }) {
      const rows = await db.all<RunCount>(
        `SELECT ${RUN_KEYS[by]} AS key, COUNT(*) AS runs,
           SUM(CASE WHEN r.family_id IS NULL THEN 1 ELSE 0 END) AS "rootRuns"
         FROM run_listing l INDEXED BY run_listing_in_creation_order JOIN runs r ON r.run_id = l.run_id
         WHERE l.created_at >= $1 AND l.created_at < $2
           AND l.audience = (SELECT id FROM facet_texts WHERE text = $3)
         GROUP BY 1 ORDER BY 1`,
        [Date.parse(from), Date.parse(to), factoryUid],
      );
      return by === "harness" ? byHarness(rows) : rows;
    },
    async listSpend(factoryUid, by, { from, to }) {
      const rows = await db.all<SpendRow>(
        `SELECT ${SPEND_KEYS[by]} AS key, MAX(COALESCE(root.creator, r.creator)) AS creator,
           SUM(u.cost_usd) AS cost, SUM(${unpricedOf("u")}) AS unpriced
         FROM run_usage u LEFT JOIN runs r ON r.run_id = u.run_id
           LEFT JOIN runs root ON root.run_id = ${ROOT} AND root.factory_uid = $3
         WHERE u.reported_at >= $1 AND u.reported_at < $2 AND ${ownerOf("factory_uid", "u")} = $3
         GROUP BY 1 ORDER BY 1`,
        [from, to, factoryUid],
      );
      return rows.map(({ key, creator, cost, unpriced }): GroupSpend => {
        const label = by === "user" && creator !== null ? JSON.parse(creator).displayName : null;
        return { key, label, costUsd: cost ?? 0, unpricedTokens: unpriced };
      });
    },
    listTreeSpend: (factoryUid, rootIds) => treeSpend(db, factoryUid, rootIds),
  };
}

async function treeSpend(db: Database, factoryUid: string, ids: readonly string[]): Promise<TreeSpend[]> {
  if (ids.length === 0) return [];
  const listed = placeholders(ids.length, 1);
  return db.all<TreeSpend>(
    `SELECT ${ROOT} AS "rootId", COALESCE(r.model_id, u.model) AS model,
       COALESCE(SUM(u.cost_usd), 0) AS "costUsd", SUM(${unpricedOf("u")}) AS "unpricedTokens"
     FROM (SELECT run_id FROM runs WHERE run_id IN (${listed})
           UNION SELECT run_id FROM runs WHERE family_id IN (${listed})) AS member
       JOIN runs r ON r.run_id = member.run_id JOIN run_usage u ON u.run_id = r.run_id
     WHERE r.factory_uid = $1
     GROUP BY 1, 2 ORDER BY 1, 2`,
    [factoryUid, ...ids],
  );
}

/** Configurations are many, and of each the harness counts alone. */
function byHarness(rows: readonly RunCount[]): RunCount[] {
  const counts = new Map<string | null, RunCount>();
  for (const { key: config, runs, rootRuns } of rows) {
    const key = config === null ? null : ((JSON.parse(config) as Run["config"]).harness?.type ?? null);
    const known = counts.get(key);
    if (known) Object.assign(known, { runs: known.runs + runs, rootRuns: known.rootRuns + rootRuns });
    else counts.set(key, { key, runs, rootRuns });
  }
  return [...counts.values()];
}

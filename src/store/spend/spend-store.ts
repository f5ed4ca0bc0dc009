import type { RunSpend, SpendStore, UsageGroup, UsageSums } from "../../insight/usage.ts";
import { ENDED } from "../runs/state-lists.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

interface SumsRow {
  factory_uid: string | null;
  key: string | null;
  root_factory_uid: string | null;
  root_key: string | null;
  runs: number;
  runs_without_usage: number;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  cost_usd: number | null;
  unpriced_tokens: number;
  worked_ms: number;
  cpu_ms: number | null;
  peak_memory_bytes: number | null;
}

export function spendStore(db: Database): SpendStore {
  return {
    async findFirstUse() {
      const first = await db.first<{ first: string | null }>(
        `SELECT MIN(first) AS first FROM (
           SELECT MIN(reported_at) AS first FROM run_usage
           UNION ALL SELECT MIN(used_at) AS first FROM run_turns) AS firsts`,
      );
      return first?.first ?? undefined;
    },
    async listUsageSums(by, part, within) {
      const rows = await db.all<SumsRow>(usageSums(by), [part.from, part.to, within.from, within.to]);
      return rows.map(toSums);
    },
    async listCostliestRuns({ from, to }, factoryUids, limit) {
      if (factoryUids?.length === 0) return [];
      const ofFactories = factoryUids
        ? `AND ${ownerOf("factory_uid", "u")} IN (${placeholders(factoryUids.length, 3)})`
        : "";
      const rows = await db.all<{ run_id: string; cost: number }>(
        `SELECT run_id, SUM(cost_usd) AS cost FROM run_usage u
         WHERE reported_at >= $1 AND reported_at < $2 AND cost_usd > 0 ${ofFactories}
         GROUP BY run_id ORDER BY cost DESC, run_id DESC LIMIT $3`,
        [from, to, limit, ...(factoryUids ?? [])],
      );
      return rows.map(({ run_id, cost }) => ({ runId: run_id, costUsd: cost }));
    },
    async listRunSpend(runIds, { from, to }, seen) {
      if (runIds.length === 0) return [];
      const rows = await db.all<RunSpendRow>(
        `SELECT run_id, MAX(${ownerOf("factory_uid", "u")}) AS factory_uid, SUM(input_tokens) AS input_tokens,
           SUM(output_tokens) AS output_tokens, SUM(cached_tokens) AS cached_tokens, SUM(cost_usd) AS cost_usd,
           SUM(${unpricedOf("u")}) AS unpriced_tokens, MAX(family_id) AS family_id,
           (SELECT SUM(m.cost_usd) FROM run_usage m
            WHERE m.${OF_FAMILY} AND ${within("m.reported_at", 1)}
              ${seen ? `AND m.factory_uid IN (${placeholders(seen.length, 2 + runIds.length)})` : ""}) AS members_cost_usd
         FROM run_usage u
         WHERE run_id IN (${placeholders(runIds.length, 2)}) AND ${within("reported_at", 1)}
         GROUP BY run_id`,
        [from, to, ...runIds, ...(seen ?? [])],
      );
      return rows.map(toRunSpend);
    },
    async listRunCosts(automationUid, limit) {
      const rows = await db.all<{ cost: number }>(
        `SELECT run_id, SUM(cost_usd) + COALESCE((SELECT SUM(m.cost_usd) FROM run_usage m WHERE m.${OF_FAMILY}), 0) AS cost
         FROM run_usage u
         WHERE automation_uid = $1
           AND (run_is_gone = 1 OR EXISTS (SELECT 1 FROM runs r WHERE r.run_id = u.run_id AND r.state IN (${ENDED})))
           AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.family_id = u.run_id AND r.state NOT IN (${ENDED}))
           AND NOT EXISTS (SELECT 1 FROM run_usage m WHERE m.${OF_FAMILY} AND m.cost_usd IS NULL)
         GROUP BY run_id HAVING COUNT(*) = COUNT(cost_usd) ORDER BY run_id DESC LIMIT $2`,
        [automationUid, limit],
      );
      return rows.map(({ cost }) => cost);
    },
  };
}

/** Usage of the runs that descend from the root `u`. */
const OF_FAMILY = "family_id = u.run_id AND m.family_id > ''";

interface RunSpendRow {
  run_id: string;
  factory_uid: string | null;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  cost_usd: number | null;
  unpriced_tokens: number;
  /** The root of the run; empty for a root. */
  family_id: string | null;
  members_cost_usd: number | null;
}

function toSums(row: SumsRow): UsageSums {
  return {
    factoryUid: row.factory_uid,
    key: row.key,
    root: { factoryUid: row.root_factory_uid, key: row.root_key },
    runs: row.runs,
    runsWithoutUsage: row.runs_without_usage,
    ...toUsed(row),
    workedMs: row.worked_ms,
    cpuMs: row.cpu_ms,
    peakMemoryBytes: row.peak_memory_bytes,
  };
}

function toRunSpend(row: RunSpendRow): RunSpend {
  const { cost_usd: own, members_cost_usd: below } = row;
  const isKnown = !row.family_id && (own !== null || below !== null);
  const familyCostUsd = isKnown ? (own ?? 0) + (below ?? 0) : null;
  return { runId: row.run_id, factoryUid: row.factory_uid, ...toUsed(row), familyCostUsd };
}

function toUsed(row: Omit<RunSpendRow, "run_id" | "factory_uid" | "family_id" | "members_cost_usd">) {
  return {
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cachedTokens: row.cached_tokens,
    costUsd: row.cost_usd,
    unpricedTokens: row.unpriced_tokens,
  };
}

type Owner = "factory_uid" | "automation_uid" | "agent_uid";

/** The columns that groups go by. */
const KEYS: Readonly<Record<UsageGroup, Owner | "model" | undefined>> = {
  automation: "automation_uid",
  agent: "agent_uid",
  factory: undefined,
  model: "model",
  day: undefined,
};

/** What the run of usage belongs to. A row of an earlier version does not say so itself; its run is still there. */
export function ownerOf(column: Owner, usage: string): string {
  return `CASE WHEN ${usage}.source IS NULL THEN (SELECT ${column} FROM runs WHERE runs.run_id = ${usage}.run_id)
    ELSE ${usage}.${column} END`;
}

/**
 * What the root of the run of usage belongs to. A row of an earlier version does not say so itself; where its root is gone, the run
 * counts for itself.
 */
function rootOwnerOf(column: Owner, usage: string): string {
  return `CASE WHEN ${usage}.family_id = '' THEN ${usage}.${column}
    WHEN ${usage}.family_id IS NOT NULL THEN ${usage}.root_${column}
    ELSE COALESCE((SELECT root.${column} FROM runs root WHERE root.run_id =
      (SELECT COALESCE(family_id, run_id) FROM runs WHERE runs.run_id = ${usage}.run_id)), ${usage}.${column}) END`;
}

/** The tokens of a row of usage whose cost is not known. */
export function unpricedOf(usage: string): string {
  return `CASE WHEN ${usage}.cost_usd IS NULL THEN ${usage}.input_tokens + ${usage}.output_tokens ELSE 0 END`;
}

/**
 * The statement that sums what was used in a part ($1, $2) of a span ($3, $4), by group and factory. Each run is counted where it
 * comes last in the span, so that parts can be counted one by one, and no part has to know the runs of all others. That nothing
 * comes after a row is looked up only where its run has a later turn at all.
 */
export function usageSums(by: UsageGroup): string {
  return `
    SELECT factory_uid, key, root_factory_uid, root_key, SUM(is_counted) AS runs, SUM(is_without_usage) AS runs_without_usage,
      SUM(input_tokens) AS input_tokens, SUM(output_tokens) AS output_tokens, SUM(cached_tokens) AS cached_tokens,
      SUM(cost_usd) AS cost_usd, SUM(unpriced_tokens) AS unpriced_tokens,
      SUM(worked_ms) AS worked_ms, SUM(cpu_ms) AS cpu_ms, MAX(peak_memory_bytes) AS peak_memory_bytes
    FROM (${by === "model" ? ofUsage(by) : `${ofUsage(by)} UNION ALL ${ofTurns(by)}`}) AS used
    GROUP BY factory_uid, key, root_factory_uid, root_key ORDER BY factory_uid, key, root_factory_uid, root_key`;
}

function ofUsage(by: UsageGroup): string {
  const key = KEYS[by];
  const keyed = key === undefined ? "NULL" : key === "model" ? "u.model" : ownerOf(key, "u");
  const factory = ownerOf("factory_uid", "u");
  // Models and days are of the run alone.
  const isOfRun = by === "model" || by === "day";
  const rootKey = key === undefined || key === "model" ? keyed : rootOwnerOf(key, "u");
  return `
    SELECT ${factory} AS factory_uid, ${keyed} AS key,
      ${isOfRun ? factory : rootOwnerOf("factory_uid", "u")} AS root_factory_uid, ${rootKey} AS root_key,
      ${by === "model" ? COUNTED_OF_MODEL : COUNTED_OF_EARLIER} AS is_counted, 0 AS is_without_usage,
      u.input_tokens, u.output_tokens, u.cached_tokens, u.cost_usd,
      ${unpricedOf("u")} AS unpriced_tokens,
      0 AS worked_ms, CAST(NULL AS BIGINT) AS cpu_ms, CAST(NULL AS BIGINT) AS peak_memory_bytes
    FROM run_usage u WHERE u.reported_at >= $1 AND u.reported_at < $2`;
}

function ofTurns(by: UsageGroup): string {
  const column = KEYS[by];
  const key = column === undefined ? "NULL" : `t.${column}`;
  return `
    SELECT t.factory_uid, ${key} AS key, t.factory_uid AS root_factory_uid, ${key} AS root_key,
      ${COUNTED} AS is_counted,
      CASE WHEN t.has_usage = 1 OR ${COUNTED} = 0 THEN 0 WHEN t.turn = 1 THEN 1
        WHEN EXISTS (SELECT 1 FROM run_usage e WHERE e.run_id = t.run_id AND ${within("e.reported_at")}) THEN 0
        ELSE 1 END AS is_without_usage,
      0 AS input_tokens, 0 AS output_tokens, 0 AS cached_tokens, CAST(NULL AS DOUBLE PRECISION) AS cost_usd,
      0 AS unpriced_tokens, COALESCE(t.worked_ms, 0) AS worked_ms, t.cpu_ms, t.peak_memory_bytes
    FROM run_turns t WHERE t.used_at >= $1 AND t.used_at < $2`;
}

const within = (instant: string, first = 3) => `${instant} >= $${first} AND ${instant} < $${first + 1}`;

const LATER_OF_MODEL = `SELECT 1 FROM run_usage e
  WHERE e.run_id = u.run_id AND e.turn > u.turn AND e.model = u.model AND ${within("e.reported_at")}`;
const COUNTED_OF_MODEL = `CASE WHEN u.is_last = 1 THEN 1 WHEN EXISTS (${LATER_OF_MODEL}) THEN 0 ELSE 1 END`;

const LATER_TURN = `SELECT 1 FROM run_turns e
  WHERE e.run_id = t.run_id AND e.turn > t.turn AND ${within("e.used_at")}`;
const COUNTED = `CASE WHEN t.is_last = 1 THEN 1 WHEN EXISTS (${LATER_TURN}) THEN 0 ELSE 1 END`;

/** Of a turn that only an earlier version has seen, usage alone tells; the last of its models counts. */
const COUNTED_OF_EARLIER = `CASE WHEN u.source IS NOT NULL THEN 0
  WHEN EXISTS (SELECT 1 FROM run_turns e WHERE e.run_id = u.run_id AND ${within("e.used_at")}) THEN 0
  WHEN EXISTS (SELECT 1 FROM run_usage e WHERE e.run_id = u.run_id AND ${within("e.reported_at")}
    AND (e.turn > u.turn OR (e.turn = u.turn AND e.model > u.model))) THEN 0
  ELSE 1 END`;

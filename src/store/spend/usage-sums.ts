import type { UsageGroup } from "../../insight/usage.ts";

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
    SELECT factory_uid, key, SUM(is_counted) AS runs, SUM(is_without_usage) AS runs_without_usage,
      SUM(input_tokens) AS input_tokens, SUM(output_tokens) AS output_tokens, SUM(cached_tokens) AS cached_tokens,
      SUM(cost_usd) AS cost_usd, SUM(unpriced_tokens) AS unpriced_tokens,
      SUM(worked_ms) AS worked_ms, SUM(cpu_ms) AS cpu_ms, MAX(peak_memory_bytes) AS peak_memory_bytes
    FROM (${by === "model" ? ofUsage(by) : `${ofUsage(by)} UNION ALL ${ofTurns(by)}`}) AS used
    GROUP BY factory_uid, key ORDER BY factory_uid, key`;
}

function ofUsage(by: UsageGroup): string {
  const key = KEYS[by];
  const keyed = key === undefined ? "NULL" : key === "model" ? "u.model" : ownerOf(key, "u");
  return `
    SELECT ${ownerOf("factory_uid", "u")} AS factory_uid, ${keyed} AS key,
      ${by === "model" ? COUNTED_OF_MODEL : COUNTED_OF_EARLIER} AS is_counted, 0 AS is_without_usage,
      u.input_tokens, u.output_tokens, u.cached_tokens, u.cost_usd,
      ${unpricedOf("u")} AS unpriced_tokens,
      0 AS worked_ms, CAST(NULL AS BIGINT) AS cpu_ms, CAST(NULL AS BIGINT) AS peak_memory_bytes
    FROM run_usage u WHERE u.reported_at >= $1 AND u.reported_at < $2`;
}

function ofTurns(by: UsageGroup): string {
  const key = KEYS[by];
  return `
    SELECT t.factory_uid, ${key === undefined ? "NULL" : `t.${key}`} AS key,
      ${COUNTED} AS is_counted,
      CASE WHEN t.has_usage = 1 OR ${COUNTED} = 0 THEN 0 WHEN t.turn = 1 THEN 1
        WHEN EXISTS (SELECT 1 FROM run_usage e WHERE e.run_id = t.run_id AND ${within("e.reported_at")}) THEN 0
        ELSE 1 END AS is_without_usage,
      0 AS input_tokens, 0 AS output_tokens, 0 AS cached_tokens, CAST(NULL AS DOUBLE PRECISION) AS cost_usd,
      0 AS unpriced_tokens, COALESCE(t.worked_ms, 0) AS worked_ms, t.cpu_ms, t.peak_memory_bytes
    FROM run_turns t WHERE t.used_at >= $1 AND t.used_at < $2`;
}

const within = (instant: string) => `${instant} >= $3 AND ${instant} < $4`;

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

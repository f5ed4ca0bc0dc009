import type { RunSpend, SpendStore, UsageSums } from "../../insight/usage.ts";
import { ENDED } from "../runs/state-lists.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { ownerOf, unpricedOf, usageSums } from "./usage-sums.ts";

interface SumsRow {
  factory_uid: string | null;
  key: string | null;
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
    async listRunSpend(runIds, { from, to }) {
      if (runIds.length === 0) return [];
      const rows = await db.all<RunSpendRow>(
        `SELECT run_id, MAX(${ownerOf("factory_uid", "u")}) AS factory_uid, SUM(input_tokens) AS input_tokens,
           SUM(output_tokens) AS output_tokens, SUM(cached_tokens) AS cached_tokens, SUM(cost_usd) AS cost_usd,
           SUM(${unpricedOf("u")}) AS unpriced_tokens
         FROM run_usage u
         WHERE run_id IN (${placeholders(runIds.length, 2)}) AND reported_at >= $1 AND reported_at < $2
         GROUP BY run_id`,
        [from, to, ...runIds],
      );
      return rows.map(toRunSpend);
    },
    async listRunCosts(automationUid, limit) {
      const rows = await db.all<{ cost: number }>(
        `SELECT run_id, SUM(cost_usd) AS cost FROM run_usage u
         WHERE automation_uid = $1
           AND (run_is_gone = 1 OR EXISTS (SELECT 1 FROM runs r WHERE r.run_id = u.run_id AND r.state IN (${ENDED})))
         GROUP BY run_id HAVING COUNT(*) = COUNT(cost_usd) ORDER BY run_id DESC LIMIT $2`,
        [automationUid, limit],
      );
      return rows.map(({ cost }) => cost);
    },
  };
}

interface RunSpendRow {
  run_id: string;
  factory_uid: string | null;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  cost_usd: number | null;
  unpriced_tokens: number;
}

function toSums(row: SumsRow): UsageSums {
  return {
    factoryUid: row.factory_uid,
    key: row.key,
    runs: row.runs,
    runsWithoutUsage: row.runs_without_usage,
    ...toUsed(row),
    workedMs: row.worked_ms,
    cpuMs: row.cpu_ms,
    peakMemoryBytes: row.peak_memory_bytes,
  };
}

function toRunSpend(row: RunSpendRow): RunSpend {
  return { runId: row.run_id, factoryUid: row.factory_uid, ...toUsed(row) };
}

function toUsed(row: Omit<RunSpendRow, "run_id" | "factory_uid">) {
  return {
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cachedTokens: row.cached_tokens,
    costUsd: row.cost_usd,
    unpricedTokens: row.unpriced_tokens,
  };
}

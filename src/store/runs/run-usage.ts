import type { TurnUsage } from "../../runs/output/usage.ts";
import type { RunStore } from "../../runs/run.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

interface UsageRow {
  run_id: string;
  turn: number;
  model: string;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  cost_usd: number | null;
  reported_at: string;
}

/** What harnesses tell of the models that they have used. */
export function runUsage(db: Database): Pick<RunStore, "keepUsage" | "listUsage"> {
  return {
    async keepUsage({ id, ticket }, usage, at) {
      const run = await db.first<{ turn: number }>(
        "SELECT turn FROM runs WHERE run_id = $1 AND ticket = $2",
        [id, ticket],
      );
      if (!run) return;
      // A harness tells all of its turn each time, at last perhaps under more exact names of the models.
      await db.run("DELETE FROM run_usage WHERE run_id = $1 AND turn = $2", [id, run.turn]);
      for (const { model, inputTokens, outputTokens, cachedTokens, costUsd } of usage) {
        await db.run(
          `INSERT INTO run_usage
             (run_id, turn, model, input_tokens, output_tokens, cached_tokens, cost_usd, reported_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
           ON CONFLICT (run_id, turn, model) DO UPDATE SET
             input_tokens = run_usage.input_tokens + excluded.input_tokens,
             output_tokens = run_usage.output_tokens + excluded.output_tokens,
             cached_tokens = run_usage.cached_tokens + excluded.cached_tokens,
             cost_usd = COALESCE(run_usage.cost_usd + excluded.cost_usd, run_usage.cost_usd, excluded.cost_usd)`,
          [id, run.turn, model, inputTokens, outputTokens, cachedTokens, costUsd, at],
        );
      }
    },
    async listUsage(runIds) {
      if (runIds.length === 0) return {};
      const found: Record<string, TurnUsage[]> = Object.fromEntries(runIds.map((id) => [id, []]));
      const rows = await db.all<UsageRow>(
        `SELECT run_id, turn, model, input_tokens, output_tokens, cached_tokens, cost_usd, reported_at FROM run_usage
         WHERE run_id IN (${placeholders(runIds.length)}) ORDER BY run_id, turn, model`,
        [...runIds],
      );
      for (const row of rows) found[row.run_id]?.push(toUsage(row));
      return found;
    },
  };
}

function toUsage(row: UsageRow): TurnUsage {
  return {
    turn: row.turn,
    model: row.model,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cachedTokens: row.cached_tokens,
    costUsd: row.cost_usd,
    reportedAt: row.reported_at,
  };
}

import type { Migration } from "../database.ts";

export const runUsage: Migration = {
  name: "021-run-usage",
  sql: `
    -- What the models of a turn were used for, as its harness told it last. Input holds what was read from a cache, which
    -- cached_tokens counts apart; no cost is known of a model whose harness tells none.
    CREATE TABLE run_usage (
      run_id        TEXT NOT NULL,
      turn          INTEGER NOT NULL,
      model         TEXT NOT NULL,
      input_tokens  INTEGER NOT NULL,
      output_tokens INTEGER NOT NULL,
      cached_tokens INTEGER NOT NULL,
      cost_usd      REAL,
      reported_at   TEXT NOT NULL,
      PRIMARY KEY (run_id, turn, model)
    ) WITHOUT ROWID;
    CREATE INDEX run_usage_by_time ON run_usage (reported_at);
  `,
};

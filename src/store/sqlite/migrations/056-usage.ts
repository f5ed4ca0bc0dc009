import type { Migration } from "../database.ts";

export const usage: Migration = {
  name: "056-usage",
  serversMustKnow: "054-several-servers",
  sql: `
    -- Who has told it: the program of the turn ('harness'), or who has measured it ('proxy'). Rows of an earlier version have none,
    -- and nothing in the columns below: what their runs belong to is looked up there.
    ALTER TABLE run_usage ADD COLUMN source TEXT;
    -- Whether the cost was told with the tokens ('reported') or comes from the price of the model ('priced').
    ALTER TABLE run_usage ADD COLUMN cost_source TEXT;
    -- What the run belongs to: usage is summed by it, also when the run is there no more.
    ALTER TABLE run_usage ADD COLUMN factory_uid TEXT;
    ALTER TABLE run_usage ADD COLUMN automation_uid TEXT;
    ALTER TABLE run_usage ADD COLUMN agent_uid TEXT;
    -- Whether no later turn of its run has used this model. Most runs have one turn, so sums need not look for others.
    ALTER TABLE run_usage ADD COLUMN is_last INTEGER;
    ALTER TABLE run_usage ADD COLUMN run_is_gone INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX run_usage_of_automation ON run_usage (automation_uid, run_id) WHERE automation_uid IS NOT NULL;
    CREATE INDEX run_usage_of_gone_runs ON run_usage (reported_at) WHERE run_is_gone = 1;

    -- Turns that have used something, and what they have taken of the machine that executed them.
    CREATE TABLE run_turns (
      run_id            TEXT NOT NULL,
      turn              INTEGER NOT NULL,
      factory_uid       TEXT,
      automation_uid    TEXT,
      agent_uid         TEXT,
      -- When the turn ended; while it goes on, when something was told of it last.
      used_at           TEXT NOT NULL,
      has_usage         INTEGER NOT NULL,
      -- Whether its run has no later turn here.
      is_last           INTEGER NOT NULL,
      -- How long the agent was alive; nothing while the turn goes on.
      worked_ms         INTEGER,
      -- Nothing where no cgroup has counted it.
      cpu_ms            INTEGER,
      peak_memory_bytes INTEGER,
      run_is_gone       INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (run_id, turn)
    ) WITHOUT ROWID;
    CREATE INDEX run_turns_by_time ON run_turns (used_at);
    CREATE INDEX run_turns_of_gone_runs ON run_turns (used_at) WHERE run_is_gone = 1;
  `,
};

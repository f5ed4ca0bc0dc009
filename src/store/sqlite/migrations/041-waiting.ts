import type { Migration } from "../database.ts";

export const waiting: Migration = {
  name: "041-waiting",
  sql: `
    -- The runs that a run waits for and that have not ended, as a JSON list; null for one that waits for none.
    ALTER TABLE runs ADD COLUMN waiting_for TEXT;
    -- Of a run in plan mode: whether its plan is proposed or approved; null while it plans, and for every other run.
    ALTER TABLE runs ADD COLUMN plan_state TEXT;

    -- The wait of a run, until its results are given.
    CREATE TABLE run_waits (
      run_id TEXT PRIMARY KEY,
      mode   TEXT NOT NULL,
      until  TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX run_waits_until ON run_waits (until);

    -- The runs that a run has waited for, also in earlier waits.
    CREATE TABLE run_wait_targets (
      run_id    TEXT NOT NULL,
      target_id TEXT NOT NULL,
      -- Whether it belongs to the present wait, and has not ended since that was recorded.
      is_open   INTEGER NOT NULL,
      -- Whether it belongs to the present wait.
      is_waited INTEGER NOT NULL,
      -- The last turn of it whose result the waiting run was given.
      told_turn INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (run_id, target_id)
    ) WITHOUT ROWID;
    CREATE INDEX run_wait_targets_open ON run_wait_targets (target_id) WHERE is_open = 1;
  `,
};

import type { Migration } from "../database.ts";

export const runCaps: Migration = {
  name: "012-run-caps",
  sql: `
    -- When a worker took the run for the first time: what the runs of an hour are counted by.
    ALTER TABLE runs ADD COLUMN first_claimed_at TEXT;
    UPDATE runs SET first_claimed_at = started_at WHERE started_at IS NOT NULL;
    CREATE INDEX runs_by_first_claim ON runs (factory_uid, first_claimed_at) WHERE first_claimed_at IS NOT NULL;

    -- Waiting runs in lanes: those of one automation that no worker has had yet, and those that one has had. A lane that
    -- has to wait is stepped over as a whole, however many runs are in it.
    -- The state is inside the expression, because a condition on it would lead to the index of all states.
    CREATE INDEX runs_waiting_in_lanes ON runs (
      (CASE WHEN state = 'QUEUED' THEN COALESCE(factory_uid, '') || '/' || COALESCE(automation_uid, '') ||
         CASE WHEN first_claimed_at IS NULL THEN '' ELSE '+' END END),
      run_id)
    WHERE (CASE WHEN state = 'QUEUED' THEN COALESCE(factory_uid, '') || '/' || COALESCE(automation_uid, '') ||
             CASE WHEN first_claimed_at IS NULL THEN '' ELSE '+' END END) IS NOT NULL;

    -- One index in the place of two: beside one of the state alone, SQLite took that and sorted everything that waited.
    DROP INDEX runs_by_state;
    DROP INDEX runs_waiting;
    CREATE INDEX runs_in_state ON runs (state, run_id);
  `,
};

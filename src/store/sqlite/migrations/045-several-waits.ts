import type { Migration } from "../database.ts";

export const severalWaits: Migration = {
  name: "045-several-waits",
  sql: `
    -- A run can have several waits at the same time: an agent can call wait_for again while an earlier call is held open.
    CREATE TABLE run_waits_by_id (
      wait_id TEXT PRIMARY KEY,
      run_id  TEXT NOT NULL,
      mode    TEXT NOT NULL,
      until   TEXT NOT NULL,
      -- The ids of the runs in this wait, sorted, as a JSON list.
      targets TEXT NOT NULL
    ) WITHOUT ROWID;
    INSERT INTO run_waits_by_id (wait_id, run_id, mode, until, targets)
      SELECT run_id, run_id, mode, until,
        (SELECT COALESCE(json_group_array(target_id), '[]') FROM (
           SELECT target_id FROM run_wait_targets
           WHERE run_wait_targets.run_id = run_waits.run_id AND is_waited = 1 ORDER BY target_id))
      FROM run_waits;
    DROP TABLE run_waits;
    ALTER TABLE run_waits_by_id RENAME TO run_waits;
    CREATE INDEX run_waits_until ON run_waits (until);
    CREATE INDEX run_waits_of_run ON run_waits (run_id);
    -- The waits themselves list their runs.
    ALTER TABLE run_wait_targets DROP COLUMN is_waited;
  `,
};

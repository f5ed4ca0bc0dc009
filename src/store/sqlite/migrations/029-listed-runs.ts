import type { Migration } from "../database.ts";

export const listedRuns: Migration = {
  name: "029-listed-runs",
  sql: `
    -- Up to which change the list of runs shows what has happened. Until now, every change was listed as it was made.
    CREATE TABLE listing_progress (
      seq INTEGER NOT NULL
    );
    INSERT INTO listing_progress (seq) SELECT COALESCE(MAX(seq), 0) FROM changes;

    -- The events of a run are read together, and nothing else reads them: one tree in that order instead of three.
    CREATE TABLE run_timelines (
      run_id      TEXT NOT NULL REFERENCES runs (run_id),
      event_uuid  TEXT NOT NULL,
      event_type  TEXT NOT NULL,
      occurred_at TEXT NOT NULL,
      payload     TEXT,
      PRIMARY KEY (run_id, event_uuid)
    ) WITHOUT ROWID;
    INSERT INTO run_timelines (run_id, event_uuid, event_type, occurred_at, payload)
      SELECT run_id, event_uuid, event_type, occurred_at, payload FROM run_events ORDER BY run_id, event_uuid;
    DROP TABLE run_events;
    ALTER TABLE run_timelines RENAME TO run_events;
  `,
};

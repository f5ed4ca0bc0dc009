import type { Migration } from "../database.ts";

export const children: Migration = {
  name: "040-children",
  sql: `
    -- The first of the ancestors of a run, by which a family is found; nothing for a run that was not started by another one.
    ALTER TABLE runs ADD COLUMN family_id TEXT;
    UPDATE runs SET family_id = json_extract(ancestors, '$[0]') WHERE ancestors <> '[]';
    CREATE INDEX runs_by_family ON runs (family_id, run_id) WHERE family_id IS NOT NULL;

    -- The runs that the agent of a run has started with its token, also those that were deleted, and under which keys.
    CREATE TABLE run_starts (
      run_id       TEXT NOT NULL REFERENCES runs (run_id),
      child_id     TEXT NOT NULL,
      key          TEXT,
      request_hash TEXT,
      answer       TEXT NOT NULL,
      PRIMARY KEY (run_id, child_id)
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX run_starts_by_key ON run_starts (run_id, key) WHERE key IS NOT NULL;

    -- The run whose agent has sent a message, and the turn that it was in; nothing for messages with an API key.
    ALTER TABLE run_followups ADD COLUMN from_run TEXT;
    ALTER TABLE run_followups ADD COLUMN from_turn INTEGER;
    CREATE INDEX run_followups_by_sender ON run_followups (from_run, from_turn) WHERE from_run IS NOT NULL;
  `,
};

import type { Migration } from "../database.ts";

export const turns: Migration = {
  name: "010-turns",
  sql: `
    -- Who has a run, and until when nobody else may take it for lost.
    ALTER TABLE runs ADD COLUMN worker TEXT;
    ALTER TABLE runs ADD COLUMN lease_expires_at TEXT;
    ALTER TABLE runs ADD COLUMN turn_started_at TEXT;
    -- Milliseconds that agents have worked on it, over all of its turns that have ended.
    ALTER TABLE runs ADD COLUMN worked_ms INTEGER;
    -- Whether the agent's session takes messages, and what its harness calls that session.
    ALTER TABLE runs ADD COLUMN takes_input INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN harness_session TEXT;
    -- What its agent said at last.
    ALTER TABLE runs ADD COLUMN answer TEXT;
    DROP INDEX runs_claimed;
    CREATE INDEX runs_leased ON runs (lease_expires_at) WHERE lease_expires_at IS NOT NULL;
    CREATE INDEX runs_by_token ON runs (token_hash) WHERE token_hash IS NOT NULL;
    -- What a server without leases has left was lost when that one ended.
    UPDATE runs SET worker = '', lease_expires_at = '' WHERE state IN ('CLAIMED', 'INPROGRESS');

    -- When its agent was given a message.
    ALTER TABLE run_followups ADD COLUMN given_at TEXT;
    UPDATE run_followups SET turn = 1 WHERE outcome = 'queued_prompt';

    -- What agents report that they have made.
    CREATE TABLE run_artifacts (
      artifact_uid  TEXT PRIMARY KEY,
      run_id        TEXT NOT NULL REFERENCES runs (run_id),
      turn          INTEGER NOT NULL,
      artifact_type TEXT NOT NULL,
      data          TEXT NOT NULL,
      created_at    TEXT NOT NULL
    );
    CREATE INDEX run_artifacts_of_run ON run_artifacts (run_id, artifact_uid);
  `,
};

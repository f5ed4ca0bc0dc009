import type { Migration } from "../database.ts";

export const runs: Migration = {
  name: "003-runs",
  sql: `
    CREATE TABLE runs (
      run_id         TEXT PRIMARY KEY,
      factory_uid    TEXT,
      automation_uid TEXT,
      agent_uid      TEXT,
      delivery_id    TEXT,
      webhook_uid    TEXT,
      title          TEXT NOT NULL,
      prompt         TEXT NOT NULL,
      source         TEXT NOT NULL,
      creator        TEXT NOT NULL,
      creator_uid    TEXT NOT NULL,
      config         TEXT NOT NULL,
      config_name    TEXT,
      model_id       TEXT,
      execution      TEXT NOT NULL,
      metadata       TEXT NOT NULL,
      state          TEXT NOT NULL,
      -- Rises with every claim: whoever acts on a run has to show the ticket that it was claimed with.
      ticket         INTEGER NOT NULL DEFAULT 0,
      turn           INTEGER NOT NULL DEFAULT 1,
      token_hash     TEXT,
      session_id     TEXT,
      status_message TEXT,
      exit_code      INTEGER,
      created_at     TEXT NOT NULL,
      updated_at     TEXT NOT NULL,
      started_at     TEXT,
      finished_at    TEXT
    );
    CREATE INDEX runs_waiting ON runs (run_id) WHERE state = 'QUEUED';
    CREATE INDEX runs_claimed ON runs (run_id) WHERE state IN ('CLAIMED', 'INPROGRESS');
    CREATE INDEX runs_of_delivery ON runs (delivery_id) WHERE delivery_id IS NOT NULL;
    CREATE INDEX runs_by_update ON runs (updated_at, run_id);

    -- A file that a run is given. The body of a delivery stays with the delivery and is only named here.
    CREATE TABLE run_attachments (
      run_id      TEXT NOT NULL REFERENCES runs (run_id),
      name        TEXT NOT NULL,
      mime_type   TEXT NOT NULL,
      size        INTEGER NOT NULL,
      content     BLOB,
      delivery_id TEXT,
      PRIMARY KEY (run_id, name)
    );

    CREATE TABLE run_events (
      event_uuid  TEXT PRIMARY KEY,
      run_id      TEXT NOT NULL REFERENCES runs (run_id),
      event_type  TEXT NOT NULL,
      occurred_at TEXT NOT NULL,
      payload     TEXT
    );
    CREATE INDEX run_events_of_run ON run_events (run_id, event_uuid);

    CREATE TABLE run_output (
      run_id TEXT NOT NULL REFERENCES runs (run_id),
      seq    INTEGER NOT NULL,
      turn   INTEGER NOT NULL,
      stream TEXT NOT NULL,
      at     TEXT NOT NULL,
      bytes  BLOB NOT NULL,
      PRIMARY KEY (run_id, seq)
    );
  `,
};

import type { Migration } from "../database.ts";

export const deliveries: Migration = {
  name: "004-deliveries",
  sql: `
    CREATE TABLE deliveries (
      delivery_id     TEXT PRIMARY KEY,
      factory_uid     TEXT NOT NULL,
      webhook_uid     TEXT NOT NULL,
      outcome         TEXT NOT NULL,
      size            INTEGER NOT NULL,
      time            TEXT NOT NULL,
      identity_source TEXT,
      identity_value  TEXT,
      payload         BLOB,
      reason          TEXT,
      body_differs    INTEGER,
      duplicate_of    TEXT,
      redelivery_of   TEXT
    );
    CREATE INDEX deliveries_of_webhook ON deliveries (webhook_uid, delivery_id);

    -- Which deliveries have been accepted: one row an identity, remembered longer than the log.
    CREATE TABLE delivery_identities (
      identity    BLOB PRIMARY KEY,
      delivery_id TEXT NOT NULL,
      body_hash   BLOB NOT NULL,
      accepted_at TEXT NOT NULL
    );
  `,
};

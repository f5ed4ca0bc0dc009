import type { Migration } from "../database.ts";

export const secrets: Migration = {
  name: "001-secrets",
  sql: `
    CREATE TABLE secrets (
      name       TEXT PRIMARY KEY,
      sealed     BLOB NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    );

    -- One row: what the master key was derived with, and a value that proves it.
    CREATE TABLE sealing (
      only_row    INTEGER PRIMARY KEY CHECK (only_row = 1),
      salt        BLOB NOT NULL,
      check_value BLOB NOT NULL
    );
  `,
};

import type { Migration } from "../database.ts";

export const principals: Migration = {
  name: "005-principals",
  sql: `
    CREATE TABLE principals (
      uid          TEXT PRIMARY KEY,
      kind         TEXT NOT NULL,
      display_name TEXT NOT NULL,
      created_at   TEXT NOT NULL,
      UNIQUE (kind, display_name)
    );

    CREATE TABLE api_keys (
      id            TEXT PRIMARY KEY,
      principal_uid TEXT NOT NULL REFERENCES principals (uid),
      name          TEXT NOT NULL,
      kind          TEXT NOT NULL,
      role          TEXT NOT NULL,
      -- JSON list of factory uids; null reaches every factory.
      factories     TEXT,
      prefix        TEXT NOT NULL,
      hash          TEXT NOT NULL UNIQUE,
      -- Whether the key came from the settings: such a key leaves when the setting changes.
      from_settings INTEGER NOT NULL,
      created_at    TEXT NOT NULL,
      last_used_at  TEXT,
      expires_at    TEXT,
      revoked_at    TEXT
    );
  `,
};

import type { Migration } from "../database.ts";

export const sessions: Migration = {
  name: "017-sessions",
  sql: `
    -- Browsers that are signed in. The id itself is in the browser alone.
    CREATE TABLE sessions (
      hash         TEXT PRIMARY KEY,
      key_id       TEXT NOT NULL REFERENCES api_keys (id),
      created_at   TEXT NOT NULL,
      last_seen_at TEXT NOT NULL,
      expires_at   TEXT NOT NULL
    );
  `,
};

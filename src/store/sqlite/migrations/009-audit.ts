import type { Migration } from "../database.ts";

export const audit: Migration = {
  name: "009-audit",
  sql: `
    -- Ids rise with time. Who acted is written as it was then.
    CREATE TABLE audit_log (
      id             TEXT PRIMARY KEY,
      at             TEXT NOT NULL,
      principal_uid  TEXT NOT NULL,
      principal_kind TEXT NOT NULL,
      display_name   TEXT NOT NULL,
      key_id         TEXT,
      run_id         TEXT,
      action         TEXT NOT NULL,
      subject        TEXT NOT NULL,
      status         INTEGER NOT NULL,
      trace_id       TEXT,
      address        TEXT NOT NULL
    );
  `,
};

import type { Migration } from "../database.ts";

export const publicClientFields: Migration = {
  name: "022-public-client-fields",
  sql: `
    CREATE INDEX runs_by_session ON runs (session_id) WHERE session_id IS NOT NULL;

    -- What each run of a schedule is marked with, and how an identity's runs execute, as JSON.
    ALTER TABLE schedules  ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';
    ALTER TABLE identities ADD COLUMN config   TEXT NOT NULL DEFAULT '{}';
  `,
};

import type { Migration } from "../database.ts";

export const workedTime: Migration = {
  name: "034-worked-time",
  sql: `
    -- Milliseconds in which agents were alive and waited for a person, which are part of worked_ms; and since when one waits.
    -- Nothing is known of runs from before.
    ALTER TABLE runs ADD COLUMN away_ms INTEGER;
    ALTER TABLE runs ADD COLUMN away_at TEXT;
  `,
};

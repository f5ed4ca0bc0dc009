import type { Migration } from "../database.ts";

export const scheduleFirings: Migration = {
  name: "011-schedule-firings",
  sql: `
    -- Due times that have fired. The primary key is what keeps one from firing twice.
    CREATE TABLE schedule_firings (
      key    TEXT NOT NULL,
      due_at TEXT NOT NULL,
      -- Null for one that could start nothing.
      run_id TEXT,
      PRIMARY KEY (key, due_at)
    );
    CREATE INDEX schedule_firings_by_age ON schedule_firings (due_at);

    -- The schedule that started a run, as it was then: JSON.
    ALTER TABLE runs ADD COLUMN schedule TEXT;
  `,
};

import type { Migration } from "../database.ts";

export const spend: Migration = {
  name: "058-spend",
  serversMustKnow: "054-several-servers",
  sql: `
    -- What the runs of a factory, an agent or an automation have used, by the minute in which it was reported. Sums over
    -- the usage of all runs of a day would take too long where runs are claimed.
    CREATE TABLE spend (
      owner_uid TEXT NOT NULL,
      -- An instant up to its minutes.
      minute    TEXT NOT NULL,
      usd       REAL NOT NULL,
      PRIMARY KEY (owner_uid, minute)
    ) WITHOUT ROWID;
    CREATE INDEX spend_by_age ON spend (minute);

    -- Limits of a day that were used up, and since when that is told.
    CREATE TABLE used_up_days (
      owner_uid  TEXT NOT NULL,
      limit_name TEXT NOT NULL,
      most       REAL NOT NULL,
      told_at    TEXT NOT NULL,
      PRIMARY KEY (owner_uid, limit_name)
    ) WITHOUT ROWID;

    -- What the runs of a day are counted by, as runs_by_first_claim for factories.
    CREATE INDEX runs_of_automation_by_first_claim ON runs (automation_uid, first_claimed_at)
      WHERE automation_uid IS NOT NULL AND first_claimed_at IS NOT NULL;
  `,
};

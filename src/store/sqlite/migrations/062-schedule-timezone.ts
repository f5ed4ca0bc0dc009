import type { Migration } from "../database.ts";

export const scheduleTimezone: Migration = {
  name: "062-schedule-timezone",
  serversMustKnow: "054-several-servers",
  sql: `
    -- In which the cron expression of a schedule is meant: a name of the IANA database.
    ALTER TABLE schedules ADD COLUMN timezone TEXT NOT NULL DEFAULT 'UTC';
  `,
};

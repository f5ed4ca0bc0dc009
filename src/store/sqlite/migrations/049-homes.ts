import type { Migration } from "../database.ts";

export const homes: Migration = {
  name: "049-homes",
  sql: `
    -- Where the workspace of a run is: of whom the last turn was whose agent was started. Null where nobody knows.
    ALTER TABLE runs ADD COLUMN home TEXT;
    -- Who has claimed the turn, in the same form. It becomes the home when the agent is started.
    ALTER TABLE runs ADD COLUMN claimed_home TEXT;
    -- Since when the run waits for its turn, if it is not the first one. A claim that falls back does not change it.
    ALTER TABLE runs ADD COLUMN turn_asked_at TEXT;
  `,
};

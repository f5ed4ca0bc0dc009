import type { Migration } from "../database.ts";

export const revisions: Migration = {
  name: "015-revisions",
  sql: `
    -- Since when the factory keeps what is in force, whatever its source says.
    ALTER TABLE factories ADD COLUMN suspended_at TEXT;

    -- Why the attempt was made, and for whom when somebody asked for it. Those from before this step do not tell.
    ALTER TABLE revisions ADD COLUMN reason TEXT;
    ALTER TABLE revisions ADD COLUMN principal TEXT;
  `,
};

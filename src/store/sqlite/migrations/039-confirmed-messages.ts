import type { Migration } from "../database.ts";

export const confirmedMessages: Migration = {
  name: "039-confirmed-messages",
  sql: `
    -- Whether a message was written to a session that has written nothing since; and whether an earlier turn may have read it.
    ALTER TABLE run_followups ADD COLUMN is_unconfirmed INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE run_followups ADD COLUMN is_repeated INTEGER NOT NULL DEFAULT 0;
    -- The number of the last piece of output that was deleted, after which the next turn goes on.
    ALTER TABLE runs ADD COLUMN output_seq INTEGER;
  `,
};

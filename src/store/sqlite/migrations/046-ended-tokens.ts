import type { Migration } from "../database.ts";

export const endedTokens: Migration = {
  name: "046-ended-tokens",
  sql: `
    -- The token of the last turn that has ended: whoever uses it still is recorded with the run.
    ALTER TABLE runs ADD COLUMN ended_token_hash TEXT;
    CREATE INDEX runs_by_ended_token ON runs (ended_token_hash) WHERE ended_token_hash IS NOT NULL;
  `,
};

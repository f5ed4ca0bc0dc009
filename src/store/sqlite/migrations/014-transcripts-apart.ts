import type { Migration } from "../database.ts";

export const transcriptsApart: Migration = {
  name: "014-transcripts-apart",
  sql: `
    -- What agents write is in a database of its own, which has taken these rows over before this step (transcript-file.ts).
    DROP TABLE run_output;
  `,
};

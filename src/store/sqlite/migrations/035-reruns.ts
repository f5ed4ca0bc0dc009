import type { Migration } from "../database.ts";

export const reruns: Migration = {
  name: "035-reruns",
  sql: `
    -- The run that a run repeats. Runs of one that is repeated are found by a tag of the list.
    ALTER TABLE runs ADD COLUMN rerun_of TEXT;
  `,
};

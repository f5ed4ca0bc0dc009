import type { Migration } from "../database.ts";

export const ingress: Migration = {
  name: "006-ingress",
  sql: `
    -- For forgetting the oldest first.
    CREATE INDEX delivery_identities_by_age ON delivery_identities (accepted_at);

    -- What is written to see whether the store can write.
    CREATE TABLE health (
      only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
      filler   BLOB NOT NULL
    );

    -- For counting.
    CREATE INDEX runs_by_state ON runs (state);
  `,
};

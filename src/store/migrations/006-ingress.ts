import type { Migration } from "../migrate.ts";

export const ingress: Migration = {
  name: "006-ingress",
  sql: `
    -- For forgetting the oldest first.
    CREATE INDEX delivery_identities_by_age ON delivery_identities (accepted_at);

    -- For counting.
    CREATE INDEX runs_by_state ON runs (state);
  `,
};

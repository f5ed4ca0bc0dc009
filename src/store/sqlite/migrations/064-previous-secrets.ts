import type { Migration } from "../database.ts";

export const previousSecrets: Migration = {
  name: "064-previous-secrets",
  serversMustKnow: "054-several-servers",
  sql: `
    -- The secret that a webhook had before, since when it is the previous one, and until when it is still accepted.
    ALTER TABLE webhook_credentials ADD COLUMN previous_sealed BLOB;
    ALTER TABLE webhook_credentials ADD COLUMN previous_since TEXT;
    ALTER TABLE webhook_credentials ADD COLUMN previous_until TEXT;
    -- When the credential was taken that it comes before: a server that does not know these columns leaves them as they are.
    ALTER TABLE webhook_credentials ADD COLUMN previous_of TEXT;

    -- Which of the two has proved a delivery: 'current' or 'previous'. Nothing in rows of an earlier version, and of refusals.
    ALTER TABLE deliveries ADD COLUMN proved_by TEXT;
    CREATE INDEX deliveries_proved_by_previous ON deliveries (webhook_uid, delivery_id) WHERE proved_by = 'previous';
  `,
};

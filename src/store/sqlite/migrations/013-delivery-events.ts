import type { Migration } from "../database.ts";

export const deliveryEvents: Migration = {
  name: "013-delivery-events",
  sql: `
    -- What the provider's header says that a delivery tells of. Matching it again needs that: the body does not say it.
    ALTER TABLE deliveries ADD COLUMN event TEXT;
  `,
};

import type { Migration } from "../database.ts";

export const deliveryFilters: Migration = {
  name: "031-delivery-filters",
  sql: `
    -- Few deliveries are not accepted: to record one that is costs no entry here. The webhook is in the index, so that what
    -- came to others is passed over without being read.
    CREATE INDEX deliveries_not_accepted ON deliveries (outcome, delivery_id, webhook_uid, factory_uid)
      WHERE outcome <> 'Accepted';

    -- Who sent a delivery, as JSON: its address and some of its headers. Nothing for one that was sent again from here.
    ALTER TABLE deliveries ADD COLUMN sender TEXT;

    -- Deliveries that were refused without a record, of the last day.
    CREATE TABLE dropped_deliveries (
      factory_uid TEXT NOT NULL,
      webhook_uid TEXT NOT NULL,
      hour        TEXT NOT NULL,
      over_budget INTEGER NOT NULL,
      blocked     INTEGER NOT NULL,
      PRIMARY KEY (factory_uid, webhook_uid, hour)
    ) WITHOUT ROWID;
  `,
};

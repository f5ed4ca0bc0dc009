import type { Migration } from "../database.ts";

export const activity: Migration = {
  name: "036-activity",
  sql: `
    -- These counts are kept for a month now: the oldest are found without reading the rest.
    CREATE INDEX dropped_deliveries_by_hour ON dropped_deliveries (hour);

    -- How the last runs of an automation or an agent ended is read from the index alone. A run that moves was entered anew
    -- before too.
    DROP INDEX run_listing_by_automation;
    DROP INDEX run_listing_by_executor;
    CREATE INDEX run_listing_by_automation ON run_listing (automation, updated_at, state) WHERE automation <> 0;
    CREATE INDEX run_listing_by_executor ON run_listing (executor, updated_at, state);

    -- The webhook whose delivery started a run, with its factory: another may get its uid. Entered once, when the run is
    -- listed.
    ALTER TABLE run_listing ADD COLUMN webhook INTEGER NOT NULL DEFAULT 0;
    INSERT OR IGNORE INTO facet_texts (text)
      SELECT DISTINCT factory_uid || '/' || webhook_uid FROM runs WHERE webhook_uid IS NOT NULL AND factory_uid IS NOT NULL;
    UPDATE run_listing SET webhook = facet_texts.id
      FROM runs JOIN facet_texts ON facet_texts.text = runs.factory_uid || '/' || runs.webhook_uid
      WHERE runs.run_id = run_listing.run_id;
    CREATE INDEX run_listing_by_webhook ON run_listing (webhook) WHERE webhook <> 0;
  `,
};

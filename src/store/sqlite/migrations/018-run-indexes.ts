import type { Migration } from "../database.ts";

export const runIndexes: Migration = {
  name: "018-run-indexes",
  sql: `
    -- The list of runs goes by run_listing; nothing looks here any more.
    DROP INDEX runs_by_update;

    -- Nobody asks for the runs without one of these: a run is entered only where it has one.
    DROP INDEX run_listing_by_name;
    DROP INDEX run_listing_by_model;
    DROP INDEX run_listing_by_schedule;
    DROP INDEX run_listing_by_automation;
    CREATE INDEX run_listing_by_name       ON run_listing (name, updated_at)       WHERE name <> 0;
    CREATE INDEX run_listing_by_model      ON run_listing (model, updated_at)      WHERE model <> 0;
    CREATE INDEX run_listing_by_schedule   ON run_listing (schedule, updated_at)   WHERE schedule <> 0;
    CREATE INDEX run_listing_by_automation ON run_listing (automation, updated_at) WHERE automation <> 0;
  `,
};

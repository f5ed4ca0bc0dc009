import type { Migration } from "../database.ts";

export const pauses: Migration = {
  name: "019-pauses",
  sql: `
    -- What somebody holds, without a commit: an automation, a webhook, a factory or, with none of them, the server.
    CREATE TABLE pauses (
      pause_id       TEXT PRIMARY KEY,
      factory_uid    TEXT,
      webhook_uid    TEXT,
      automation_uid TEXT,
      name           TEXT,
      reason         TEXT,
      created_by     TEXT NOT NULL,
      created_at     TEXT NOT NULL
    );
    CREATE UNIQUE INDEX pauses_by_scope ON pauses (COALESCE(automation_uid, webhook_uid, factory_uid, ''));

    -- The lanes of waiting runs tell webhooks apart too: runs of a paused webhook are stepped over as a whole, and those that
    -- another webhook started for the same automation go on.
    DROP INDEX runs_waiting_in_lanes;
    CREATE INDEX runs_waiting_in_lanes ON runs (
      (CASE WHEN state = 'QUEUED' THEN COALESCE(factory_uid, '') || '/' || COALESCE(automation_uid, '') || '/' ||
         COALESCE(webhook_uid, '') || CASE WHEN first_claimed_at IS NULL THEN '' ELSE '+' END END),
      run_id)
    WHERE (CASE WHEN state = 'QUEUED' THEN COALESCE(factory_uid, '') || '/' || COALESCE(automation_uid, '') || '/' ||
             COALESCE(webhook_uid, '') || CASE WHEN first_claimed_at IS NULL THEN '' ELSE '+' END END) IS NOT NULL;
  `,
};

import type { Migration } from "../database.ts";

export const placements: Migration = {
  name: "048-placements",
  sql: `
    -- What a run demands of the worker that executes it; empty for one that names no worker.
    ALTER TABLE runs ADD COLUMN placement TEXT NOT NULL DEFAULT '';

    -- Waiting runs by what they demand: who claims finds the oldest of each, however many wait for somebody else.
    CREATE INDEX runs_waiting_by_placement ON runs ((CASE WHEN state = 'QUEUED' THEN placement END), run_id)
    WHERE (CASE WHEN state = 'QUEUED' THEN placement END) IS NOT NULL;

    -- The lanes of waiting runs tell placements apart too: runs that wait for a worker that is not there hold back no others.
    DROP INDEX runs_waiting_in_lanes;
    CREATE INDEX runs_waiting_in_lanes ON runs (
      (CASE WHEN state = 'QUEUED' THEN COALESCE(factory_uid, '') || '/' || COALESCE(automation_uid, '') || '/' ||
         COALESCE(webhook_uid, '') || CASE WHEN first_claimed_at IS NULL THEN '' ELSE '+' END ||
         CASE WHEN placement = '' THEN '' ELSE ' ' || placement END END),
      run_id)
    WHERE (CASE WHEN state = 'QUEUED' THEN COALESCE(factory_uid, '') || '/' || COALESCE(automation_uid, '') || '/' ||
             COALESCE(webhook_uid, '') || CASE WHEN first_claimed_at IS NULL THEN '' ELSE '+' END ||
             CASE WHEN placement = '' THEN '' ELSE ' ' || placement END END) IS NOT NULL;
  `,
};

import type { Migration } from "../database.ts";

export const severalServers: Migration = {
  name: "054-several-servers",
  sql: `
    -- The servers that share this store. Each says now and then that it is there.
    CREATE TABLE servers (
      -- Of its data folder.
      server_uid TEXT PRIMARY KEY,
      -- Of its machine.
      name TEXT NOT NULL,
      version TEXT NOT NULL,
      started_at TEXT NOT NULL,
      seen_at TEXT NOT NULL,
      is_leader INTEGER NOT NULL,
      -- How many runs it executes, and how many it can.
      executing INTEGER NOT NULL,
      concurrency INTEGER NOT NULL
    );

    -- What must not be shown of a run whose agent is at work, sealed with the master key: its reports reach any server.
    CREATE TABLE run_masks (
      run_id TEXT PRIMARY KEY,
      sealed TEXT NOT NULL
    );

    -- How often the search was tidied up: two servers may prepare the same step.
    ALTER TABLE delivery_search_progress ADD COLUMN steps INTEGER NOT NULL DEFAULT 0;
  `,
};

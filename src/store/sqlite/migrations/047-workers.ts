import type { Migration } from "../database.ts";

export const workers: Migration = {
  name: "047-workers",
  sql: `
    -- Who may connect to execute runs. Several may have one name: a name is a pool.
    CREATE TABLE workers (
      id             TEXT PRIMARY KEY,
      name           TEXT NOT NULL,
      -- JSON list of the labels that were granted.
      labels         TEXT NOT NULL,
      -- JSON list of factory uids; null for every factory.
      factories      TEXT,
      prefix         TEXT NOT NULL,
      hash           TEXT NOT NULL UNIQUE,
      -- JSON of the principal that made it.
      created_by     TEXT NOT NULL,
      created_at     TEXT NOT NULL,
      draining_since TEXT
    );

    -- Processes that have connected with the token of a worker.
    CREATE TABLE worker_processes (
      worker_id    TEXT NOT NULL REFERENCES workers (id),
      process_uid  TEXT NOT NULL,
      -- JSON of what it reports of itself.
      facts        TEXT NOT NULL,
      connected_at TEXT NOT NULL,
      seen_at      TEXT NOT NULL,
      left_at      TEXT,
      PRIMARY KEY (worker_id, process_uid)
    );
    CREATE INDEX worker_processes_by_seen ON worker_processes (seen_at, worker_id, process_uid);
  `,
};

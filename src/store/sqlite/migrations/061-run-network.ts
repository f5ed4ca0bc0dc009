import type { Migration } from "../database.ts";

export const runNetwork: Migration = {
  name: "061-run-network",
  serversMustKnow: "054-several-servers",
  sql: `
    -- The hosts that the programs of a turn have reached, and those that they were refused. The reason of one that was reached
    -- is empty.
    CREATE TABLE run_network (
      run_id      TEXT NOT NULL,
      turn        INTEGER NOT NULL,
      host        TEXT NOT NULL,
      port        INTEGER NOT NULL,
      reason      TEXT NOT NULL,
      requests    INTEGER NOT NULL,
      reported_at TEXT NOT NULL,
      PRIMARY KEY (run_id, turn, host, port, reason)
    ) WITHOUT ROWID;
    CREATE INDEX run_network_by_time ON run_network (reported_at);
  `,
};

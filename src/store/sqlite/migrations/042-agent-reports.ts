import type { Migration } from "../database.ts";

export const agentReports: Migration = {
  name: "042-agent-reports",
  sql: `
    -- Of a question: the answers that its agent offers, and how urgent it is.
    ALTER TABLE run_messages ADD COLUMN details TEXT;
    -- What an agent says that it is doing.
    ALTER TABLE runs ADD COLUMN status_line TEXT;
    -- When an agent reported its answer itself: what its harness says at last does not replace that.
    ALTER TABLE runs ADD COLUMN answered_at TEXT;

    -- How often an agent has reported something of a kind that a loop could report for ever.
    CREATE TABLE run_report_counts (
      run_id TEXT NOT NULL REFERENCES runs (run_id),
      kind   TEXT NOT NULL,
      count  INTEGER NOT NULL,
      PRIMARY KEY (run_id, kind)
    ) WITHOUT ROWID;

    -- The page that the runs of a family share, by the run that the family began with, which may have been deleted. Runs
    -- of another factory, which a key may have started in the family, have another page; '' is no factory.
    CREATE TABLE family_notes (
      family_id   TEXT NOT NULL,
      factory_uid TEXT NOT NULL,
      text        TEXT NOT NULL,
      version     INTEGER NOT NULL,
      updated_at  TEXT NOT NULL,
      run_id      TEXT NOT NULL,
      agent       TEXT NOT NULL,
      PRIMARY KEY (family_id, factory_uid)
    ) WITHOUT ROWID;
  `,
};

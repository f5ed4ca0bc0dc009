import type { Migration } from "../database.ts";

export const feedback: Migration = {
  name: "016-feedback",
  sql: `
    -- Checks of pull requests that were asked for and are not done.
    CREATE TABLE check_requests (
      host_key    TEXT NOT NULL,
      -- JSON: which pull request, or which commit at the heads of some.
      subject     TEXT NOT NULL,
      -- A new one each time that it is asked for.
      ticket      TEXT NOT NULL,
      asked_at    TEXT NOT NULL,
      PRIMARY KEY (host_key, subject)
    );

    -- The head that an open pull request had when it was checked last.
    CREATE TABLE checked_pull_requests (
      host_key    TEXT NOT NULL,
      number      INTEGER NOT NULL,
      head        TEXT NOT NULL,
      PRIMARY KEY (host_key, number)
    );

    -- What was said of a production commit, so that it is not said again.
    CREATE TABLE told_commits (
      host_key    TEXT PRIMARY KEY,
      commit_hash TEXT NOT NULL,
      outcome     TEXT NOT NULL,
      told_at     TEXT NOT NULL
    );
  `,
};

import type { Migration } from "../database.ts";

export const pullRequestAuthorsAge: Migration = {
  name: "024-pull-request-authors-age",
  sql: `
    -- When a delivery told of a pull request last, so that what nobody tells of any more can be forgotten.
    ALTER TABLE pull_request_authors ADD COLUMN told_at TEXT NOT NULL DEFAULT '';
    UPDATE pull_request_authors SET told_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now');
    CREATE INDEX pull_request_authors_told ON pull_request_authors (told_at);

    -- A factory that was deleted had left its own.
    DELETE FROM pull_request_authors WHERE factory_uid NOT IN (SELECT uid FROM factories);
  `,
};

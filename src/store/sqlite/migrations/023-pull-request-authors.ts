import type { Migration } from "../database.ts";

export const pullRequestAuthors: Migration = {
  name: "023-pull-request-authors",
  sql: `
    -- Who opened a pull request, as its deliveries told: those of workflow runs name it by number alone.
    CREATE TABLE pull_request_authors (
      factory_uid TEXT NOT NULL,
      repository  TEXT NOT NULL,
      number      INTEGER NOT NULL,
      author      TEXT NOT NULL,
      PRIMARY KEY (factory_uid, repository, number)
    ) WITHOUT ROWID;

    -- From the newest deliveries, so that an upgrade of a long log takes no time.
    INSERT OR IGNORE INTO pull_request_authors (factory_uid, repository, number, author)
    SELECT factory_uid, lower(body ->> '$.repository.full_name'), body ->> '$.pull_request.number',
      body ->> '$.pull_request.user.login'
    FROM (
      SELECT factory_uid, CAST(payload AS TEXT) AS body
      FROM (SELECT * FROM deliveries ORDER BY delivery_id DESC LIMIT 10000)
      WHERE event = 'pull_request' AND payload IS NOT NULL AND json_valid(CAST(payload AS TEXT))
    )
    WHERE json_type(body, '$.repository.full_name') = 'text'
      AND json_type(body, '$.pull_request.number') = 'integer'
      AND json_type(body, '$.pull_request.user.login') = 'text';
  `,
};

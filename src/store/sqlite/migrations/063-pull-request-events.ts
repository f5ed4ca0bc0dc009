import type { Migration } from "../migrate.ts";

export const pullRequestEvents: Migration = {
  name: "063-pull-request-events",
  serversMustKnow: "054-several-servers",
  sql: `
    -- What deliveries have told of pull requests: how each was then, and who did something with it.
    CREATE TABLE pull_request_events (
      delivery_id TEXT PRIMARY KEY,
      factory_uid TEXT NOT NULL,
      told_at     TEXT NOT NULL,
      event       TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX pull_request_events_of_factory ON pull_request_events (factory_uid, delivery_id);
    CREATE INDEX pull_request_events_told ON pull_request_events (told_at);
  `,
};

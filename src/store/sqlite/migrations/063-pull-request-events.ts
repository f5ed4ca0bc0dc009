import type { Migration } from "../database.ts";

export const pullRequestEvents: Migration = {
  name: "063-pull-request-events",
  serversMustKnow: "054-several-servers",
  sql: `
    -- What deliveries say about pull requests: how each was then, and who did something with it. It outlives the deliveries.
    CREATE TABLE pull_request_events (
      delivery_id TEXT PRIMARY KEY,
      factory_uid TEXT NOT NULL,
      webhook_uid TEXT NOT NULL,
      accepted_at TEXT NOT NULL,
      event       TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX pull_request_events_of_factory ON pull_request_events (factory_uid, delivery_id);
    CREATE INDEX pull_request_events_of_webhook ON pull_request_events (webhook_uid, delivery_id);
    CREATE INDEX pull_request_events_by_time ON pull_request_events (accepted_at);
  `,
};

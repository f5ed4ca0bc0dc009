import type { Migration } from "../database.ts";

export const keptUids: Migration = {
  name: "028-kept-uids",
  sql: `
    -- Webhooks of deleted factories, for good: their senders go on sending.
    CREATE TABLE deleted_webhooks (
      uid         TEXT PRIMARY KEY,
      factory_uid TEXT NOT NULL,
      deleted_at  TEXT NOT NULL
    ) WITHOUT ROWID;

    -- What came for one factory is not another's, also under the same uid. The factory is in the index, so that counting
    -- reads nothing else.
    DROP INDEX deliveries_of_webhook;
    CREATE INDEX deliveries_of_webhook ON deliveries (webhook_uid, delivery_id, factory_uid);

    -- Of factories that were deleted until now, what their deliveries still tell.
    INSERT OR IGNORE INTO deleted_webhooks (uid, factory_uid, deleted_at)
    SELECT DISTINCT webhook_uid, factory_uid, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
    FROM deliveries
    WHERE factory_uid NOT IN (SELECT uid FROM factories) AND webhook_uid NOT IN (SELECT uid FROM resources);

    -- Whether no source of the last start served it.
    ALTER TABLE factories ADD COLUMN rests INTEGER NOT NULL DEFAULT 0;

    -- A pause holds one thing of one factory: a webhook is no automation, though both had one uid.
    DROP INDEX pauses_by_scope;
    CREATE UNIQUE INDEX pauses_by_scope ON pauses (
      COALESCE(factory_uid, ''), COALESCE(webhook_uid, ''), COALESCE(automation_uid, ''));
  `,
};

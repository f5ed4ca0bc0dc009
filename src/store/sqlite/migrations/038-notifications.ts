import type { Migration } from "../database.ts";

export const notifications: Migration = {
  name: "038-notifications",
  sql: `
    -- Up to which change it is decided whom to notify. While nobody is to be notified, changes pass by.
    CREATE TABLE notification_progress (
      seq       INTEGER NOT NULL,
      is_active INTEGER NOT NULL
    );
    INSERT INTO notification_progress (seq, is_active) VALUES (0, 0);

    -- Failures that were told of and go on: what follows of the same kind is not told again.
    CREATE TABLE notification_series (
      kind      TEXT NOT NULL,
      subject   TEXT NOT NULL,
      opened_at TEXT NOT NULL,
      PRIMARY KEY (kind, subject)
    ) WITHOUT ROWID;

    -- What is known of the places that notifications go to.
    CREATE TABLE notification_targets (
      target      TEXT PRIMARY KEY,
      -- What was configured when the receiver said that it wants no more (410).
      gone        TEXT,
      rests_until TEXT,
      failures    INTEGER NOT NULL DEFAULT 0
    ) WITHOUT ROWID;

    CREATE TABLE notifications (
      notification_id TEXT PRIMARY KEY,
      -- One cause is told to one target once.
      dedup_key       TEXT NOT NULL UNIQUE,
      target          TEXT NOT NULL,
      -- The factory whose definition names the target; null where the settings do.
      owner_uid       TEXT,
      factory_uid     TEXT,
      run_id          TEXT,
      event           TEXT NOT NULL,
      content         TEXT NOT NULL,
      state           TEXT NOT NULL,
      attempts        INTEGER NOT NULL DEFAULT 0,
      last_error      TEXT,
      created_at      TEXT NOT NULL,
      next_attempt_at TEXT,
      ended_at        TEXT
    ) WITHOUT ROWID;
    CREATE INDEX notifications_waiting ON notifications (target, next_attempt_at, notification_id) WHERE state = 'waiting';
    CREATE INDEX notifications_of_owner ON notifications (owner_uid, notification_id) WHERE owner_uid IS NOT NULL;
    CREATE INDEX notifications_of_target ON notifications (target, notification_id);
    CREATE INDEX notifications_of_run ON notifications (run_id) WHERE run_id IS NOT NULL;
    CREATE INDEX notifications_of_factory ON notifications (factory_uid) WHERE factory_uid IS NOT NULL;
    CREATE INDEX notifications_ended ON notifications (ended_at) WHERE ended_at IS NOT NULL;
  `,
};

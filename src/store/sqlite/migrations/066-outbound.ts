import type { Migration } from "../database.ts";

export const outbound: Migration = {
  name: "066-outbound",
  serversMustKnow: "054-several-servers",
  sql: `
    -- What a receiver has answered last, and when somebody asked for a message to be sent again.
    ALTER TABLE notifications ADD COLUMN response TEXT;
    ALTER TABLE notifications ADD COLUMN requested_at TEXT;
    ALTER TABLE notifications ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE notifications ADD COLUMN tried_at TEXT;
    -- What a target was when it failed last, and when: what is learned of one receiver says nothing of the next one, and times
    -- that were reckoned from an instant which is still to come mean nothing.
    ALTER TABLE notification_targets ADD COLUMN fingerprint TEXT;
    ALTER TABLE notification_targets ADD COLUMN failed_at TEXT;
    ALTER TABLE notification_targets ADD COLUMN failed_by TEXT;

    -- Messages that wait for their target together take turns, and those that were tried least often come first. The index
    -- without the attempts stays: servers of the version before may still use it.
    CREATE INDEX notifications_in_turn ON notifications (target, next_attempt_at, attempts, notification_id, bytes)
    WHERE state = 'waiting';
    CREATE INDEX notifications_of_run_in_turn ON notifications (target, run_id, notification_id)
    WHERE state = 'waiting' AND run_id IS NOT NULL;
    -- Ids stay ahead of a clock that was set back, and what was made in an hour does not.
    CREATE INDEX notifications_of_owner_by_time ON notifications (owner_uid, created_at, event, bytes)
    WHERE owner_uid IS NOT NULL;

    -- The outbox of the events that \`outbound/\` and \`outbound:\` name. Its tables are like those of notifications.
    CREATE TABLE outbound_progress (
      seq       INTEGER NOT NULL,
      is_active INTEGER NOT NULL
    );
    INSERT INTO outbound_progress (seq, is_active) VALUES (0, 0);

    CREATE TABLE outbound_targets (
      target      TEXT PRIMARY KEY,
      gone        TEXT,
      rests_until TEXT,
      failures    INTEGER NOT NULL DEFAULT 0,
      fingerprint TEXT,
      failed_at   TEXT,
      failed_by   TEXT
    ) WITHOUT ROWID;

    CREATE TABLE outbound_messages (
      message_id      TEXT PRIMARY KEY,
      -- One event is sent to one target once.
      dedup_key       TEXT NOT NULL UNIQUE,
      target          TEXT NOT NULL,
      -- The factory whose definition names the target; null where the settings do.
      owner_uid       TEXT,
      factory_uid     TEXT,
      run_id          TEXT,
      event           TEXT NOT NULL,
      bytes           INTEGER NOT NULL,
      state           TEXT NOT NULL,
      attempts        INTEGER NOT NULL DEFAULT 0,
      last_error      TEXT,
      response        TEXT,
      created_at      TEXT NOT NULL,
      requested_at    TEXT,
      next_attempt_at TEXT,
      tried_at        TEXT,
      ended_at        TEXT,
      -- At the end: what is read of a row without it does not walk over it.
      content         TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX outbound_messages_in_turn ON outbound_messages (target, next_attempt_at, attempts, message_id, bytes)
    WHERE state = 'waiting';
    CREATE INDEX outbound_messages_of_run_in_turn ON outbound_messages (target, run_id, message_id)
    WHERE state = 'waiting' AND run_id IS NOT NULL;
    CREATE INDEX outbound_messages_of_owner ON outbound_messages (owner_uid, created_at, event, bytes)
    WHERE owner_uid IS NOT NULL;
    CREATE INDEX outbound_messages_of_target ON outbound_messages (target, message_id);
    CREATE INDEX outbound_messages_of_run ON outbound_messages (run_id) WHERE run_id IS NOT NULL;
    CREATE INDEX outbound_messages_of_factory ON outbound_messages (factory_uid) WHERE factory_uid IS NOT NULL;
    CREATE INDEX outbound_messages_ended ON outbound_messages (ended_at, bytes) WHERE ended_at IS NOT NULL;
  `,
};

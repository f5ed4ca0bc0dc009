import type { Migration } from "../database.ts";

export const runKeys: Migration = {
  name: "065-run-keys",
  serversMustKnow: "054-several-servers",
  sql: `
    -- What makes runs one thing: the uid of the automation and the key of the delivery, with a space between them.
    ALTER TABLE runs ADD COLUMN concurrency_key TEXT;
    -- Until when the run may be continued, and holds its key while it is blocked.
    ALTER TABLE runs ADD COLUMN key_until TEXT;
    -- Of a run that waits and may not be claimed: when its window ends, or '~' while it waits for its key. Its placement begins
    -- with '~' then, which nobody claims, not even a server of an earlier version.
    ALTER TABLE runs ADD COLUMN held_until TEXT;
    ALTER TABLE runs ADD COLUMN window_opened_at TEXT;
    -- What the window was opened with.
    ALTER TABLE runs ADD COLUMN window_setting TEXT;
    CREATE INDEX runs_by_key ON runs (concurrency_key, run_id) WHERE concurrency_key IS NOT NULL;
    CREATE INDEX runs_of_keys_that_go_on ON runs (concurrency_key, run_id)
    WHERE concurrency_key IS NOT NULL AND state NOT IN ('SUCCEEDED', 'FAILED', 'ERROR', 'CANCELLED');
    CREATE INDEX runs_that_have_keys ON runs (concurrency_key, run_id)
    WHERE concurrency_key IS NOT NULL AND held_until IS NULL AND state NOT IN ('SUCCEEDED', 'FAILED', 'ERROR', 'CANCELLED');
    CREATE INDEX runs_held_for_key ON runs (concurrency_key, run_id) WHERE held_until = '~';
    -- Without those that wait for a key: SQLite, which keeps no statistics here, would look for these in it too, run by run.
    CREATE INDEX runs_in_windows ON runs (held_until) WHERE held_until < '~';
    CREATE INDEX runs_of_keys_in_windows ON runs (concurrency_key, held_until) WHERE held_until < '~';
    CREATE INDEX runs_by_window ON runs (window_opened_at) WHERE held_until IS NOT NULL;
    CREATE INDEX runs_of_windows ON runs (factory_uid, automation_uid, window_setting) WHERE held_until IS NOT NULL;
    CREATE INDEX runs_blocked_with_key ON runs (key_until) WHERE concurrency_key IS NOT NULL AND state = 'BLOCKED';

    -- The deliveries of a run whose automation has a key or a window, in the order in which they came.
    CREATE TABLE run_deliveries (
      run_id TEXT NOT NULL,
      position INTEGER NOT NULL,
      delivery_id TEXT NOT NULL,
      automation_uid TEXT,
      -- started, joined, replaced, continued; or repeated, in a run that repeats another one.
      kind TEXT NOT NULL,
      key TEXT,
      lacks_key INTEGER NOT NULL DEFAULT 0,
      -- The runs that it has replaced, as JSON.
      replaced TEXT,
      -- What the run that it started had to wait for: key or window.
      waited_for TEXT,
      at TEXT NOT NULL,
      -- Bytes of the bodies up to this one.
      total_size INTEGER NOT NULL,
      PRIMARY KEY (run_id, position)
    );
    CREATE INDEX run_deliveries_by_delivery ON run_deliveries (delivery_id);
  `,
};

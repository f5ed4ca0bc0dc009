import type { Migration } from "../database.ts";

export const triggers: Migration = {
  name: "044-triggers",
  sql: `
    -- Up to which change the events of factories were followed. It counts while there are listeners.
    CREATE TABLE trigger_progress (seq INTEGER NOT NULL);
    INSERT INTO trigger_progress (seq) VALUES (0);

    -- The enabled automations that events of their factory start.
    CREATE TABLE trigger_listeners (
      automation_uid TEXT PRIMARY KEY,
      factory_uid    TEXT NOT NULL,
      -- The newest change when the automation began to listen: earlier events do not start it.
      since          INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX trigger_listeners_of_factory ON trigger_listeners (factory_uid);

    -- What an event has led to. The primary key is what keeps it from starting an automation twice.
    CREATE TABLE trigger_firings (
      event_id       TEXT NOT NULL,
      automation_uid TEXT NOT NULL,
      -- Null where a limit has kept the run from being started.
      run_id         TEXT,
      at             TEXT NOT NULL,
      PRIMARY KEY (event_id, automation_uid)
    ) WITHOUT ROWID;
    CREATE INDEX trigger_firings_by_age ON trigger_firings (at);
  `,
};

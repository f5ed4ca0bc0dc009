import type { Migration } from "../database.ts";

export const agents: Migration = {
  name: "008-agents",
  sql: `
    -- Lists and principals are JSON.
    CREATE TABLE environments (
      uid            TEXT PRIMARY KEY,
      name           TEXT NOT NULL UNIQUE,
      description    TEXT,
      docker_image   TEXT,
      repositories   TEXT NOT NULL,
      setup_commands TEXT NOT NULL,
      secrets        TEXT NOT NULL,
      creator        TEXT NOT NULL,
      last_editor    TEXT NOT NULL,
      created_at     TEXT NOT NULL,
      updated_at     TEXT NOT NULL
    );

    -- The agents that the API makes; those of definitions are resources.
    CREATE TABLE identities (
      uid         TEXT PRIMARY KEY,
      name        TEXT NOT NULL UNIQUE,
      description TEXT,
      secrets     TEXT NOT NULL,
      skills      TEXT NOT NULL,
      created_at  TEXT NOT NULL,
      updated_at  TEXT NOT NULL
    );

    CREATE TABLE schedules (
      schedule_id      TEXT PRIMARY KEY,
      factory_uid      TEXT,
      agent_uid        TEXT,
      name             TEXT NOT NULL,
      cron_schedule    TEXT NOT NULL,
      prompt           TEXT NOT NULL,
      agent_config     TEXT,
      enabled          INTEGER NOT NULL,
      created_by       TEXT NOT NULL,
      updated_by       TEXT NOT NULL,
      created_at       TEXT NOT NULL,
      updated_at       TEXT NOT NULL,
      last_ran         TEXT,
      last_spawn_error TEXT
    );
  `,
};

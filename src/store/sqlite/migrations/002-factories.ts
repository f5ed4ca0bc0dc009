import type { Migration } from "../database.ts";

export const factories: Migration = {
  name: "002-factories",
  sql: `
    CREATE TABLE factories (
      uid                TEXT PRIMARY KEY,
      source_key         TEXT NOT NULL UNIQUE,
      name               TEXT NOT NULL UNIQUE,
      mode               TEXT NOT NULL,
      source             TEXT NOT NULL,
      status             TEXT NOT NULL,
      attempted_revision TEXT,
      attempted_at       TEXT,
      applied_revision   TEXT,
      applied_at         TEXT,
      problems           TEXT NOT NULL,
      created_at         TEXT NOT NULL
    );

    -- Everything a definition describes. A deleted resource stays as a tombstone, so that the same name coming back
    -- gets its old uid back.
    CREATE TABLE resources (
      uid         TEXT PRIMARY KEY,
      factory_uid TEXT NOT NULL REFERENCES factories (uid),
      kind        TEXT NOT NULL,
      name        TEXT NOT NULL,
      path        TEXT NOT NULL,
      body        TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      created_at  TEXT NOT NULL,
      updated_at  TEXT NOT NULL,
      deleted_at  TEXT,
      UNIQUE (factory_uid, kind, name)
    );

    -- The value that a webhook's secret had when its definition was applied.
    CREATE TABLE webhook_credentials (
      webhook_uid TEXT PRIMARY KEY REFERENCES resources (uid),
      secret_name TEXT NOT NULL,
      sealed      BLOB NOT NULL,
      taken_at    TEXT NOT NULL
    );

    CREATE TABLE revisions (
      id          TEXT PRIMARY KEY,
      factory_uid TEXT NOT NULL REFERENCES factories (uid),
      revision    TEXT NOT NULL,
      author      TEXT,
      message     TEXT,
      outcome     TEXT NOT NULL,
      changes     TEXT NOT NULL,
      problems    TEXT NOT NULL,
      at          TEXT NOT NULL
    );
    CREATE INDEX revisions_of_factory ON revisions (factory_uid, id);
  `,
};

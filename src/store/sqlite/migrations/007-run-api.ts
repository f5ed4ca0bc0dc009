import type { Migration } from "../database.ts";

export const runApi: Migration = {
  name: "007-run-api",
  sql: `
    ALTER TABLE runs ADD COLUMN executor TEXT;
    ALTER TABLE runs ADD COLUMN ancestors TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE runs ADD COLUMN schedule_id TEXT;
    ALTER TABLE runs ADD COLUMN cancel_requested_at TEXT;

    -- Texts that runs are filtered by, each once, under a small number: what a list reads stays small.
    CREATE TABLE facet_texts (
      id   INTEGER PRIMARY KEY,
      text TEXT NOT NULL UNIQUE
    );

    -- What runs are listed, filtered and sorted by: facets as numbers of their texts (0 for none), instants as
    -- milliseconds. The rest of a run is only read when a page shows it.
    CREATE TABLE run_listing (
      number      INTEGER PRIMARY KEY,
      run_id      TEXT NOT NULL UNIQUE REFERENCES runs (run_id),
      created_at  INTEGER NOT NULL,
      updated_at  INTEGER NOT NULL,
      -- The logarithm to base 2 of the milliseconds between the two.
      lifespan    INTEGER NOT NULL,
      state       INTEGER NOT NULL,
      source      INTEGER NOT NULL,
      -- The factory that a run belongs to or, without one, its creator: who may see it.
      audience    INTEGER NOT NULL,
      in_factory  INTEGER NOT NULL,
      creator     INTEGER NOT NULL,
      executor    INTEGER NOT NULL,
      name        INTEGER NOT NULL,
      model       INTEGER NOT NULL,
      environment INTEGER NOT NULL,
      schedule    INTEGER NOT NULL,
      automation  INTEGER NOT NULL,
      title       TEXT NOT NULL,
      skill       TEXT
    );

    -- One filter, last updated first.
    CREATE INDEX run_listing_by_state       ON run_listing (state, updated_at);
    CREATE INDEX run_listing_by_source      ON run_listing (source, updated_at);
    CREATE INDEX run_listing_by_audience    ON run_listing (audience, updated_at);
    CREATE INDEX run_listing_by_creator     ON run_listing (creator, updated_at);
    CREATE INDEX run_listing_by_executor    ON run_listing (executor, updated_at);
    CREATE INDEX run_listing_by_name        ON run_listing (name, updated_at);
    CREATE INDEX run_listing_by_model       ON run_listing (model, updated_at);
    CREATE INDEX run_listing_by_environment ON run_listing (environment, updated_at);
    CREATE INDEX run_listing_by_automation  ON run_listing (automation, updated_at);
    CREATE INDEX run_listing_by_schedule    ON run_listing (schedule, updated_at);
    CREATE INDEX run_listing_by_lifespan    ON run_listing (lifespan, created_at, updated_at);

    -- Every other combination walks one of these, in the order that is asked for, without looking into the table.
    CREATE INDEX run_listing_in_update_order ON run_listing (updated_at, created_at, state, source, audience,
      in_factory, creator, executor, name, model, environment, schedule, automation);
    CREATE INDEX run_listing_in_creation_order ON run_listing (created_at, updated_at, state, source, audience,
      in_factory, creator, executor, name, model, environment, schedule, automation);
    CREATE INDEX run_listing_in_title_order ON run_listing (title, created_at, updated_at, state, source, audience,
      in_factory, creator, executor, name, model, environment, schedule, automation);
    CREATE INDEX run_listing_in_skill_order ON run_listing (skill, created_at, updated_at, state, source, audience,
      in_factory, creator, executor, name, model, environment, schedule, automation) WHERE skill IS NOT NULL;

    -- Facets that a run can have several of: metadata, ancestors, skills, types of artifacts.
    CREATE TABLE run_tags (
      tag    INTEGER NOT NULL,
      number INTEGER NOT NULL,
      PRIMARY KEY (tag, number)
    ) WITHOUT ROWID;

    -- What "q" looks at, folded.
    CREATE TABLE run_search (
      number INTEGER PRIMARY KEY,
      text   TEXT NOT NULL
    );

    CREATE TABLE run_followups (
      followup_id TEXT PRIMARY KEY,
      run_id      TEXT NOT NULL REFERENCES runs (run_id),
      message     TEXT NOT NULL,
      outcome     TEXT NOT NULL,
      creator     TEXT NOT NULL,
      created_at  TEXT NOT NULL,
      -- The turn that it was given to; null while it waits.
      turn        INTEGER
    );
    CREATE INDEX run_followups_of_run ON run_followups (run_id, followup_id);

    -- Answers that were given under an Idempotency-Key.
    CREATE TABLE idempotent_answers (
      principal_uid TEXT NOT NULL,
      key           TEXT NOT NULL,
      request_hash  TEXT NOT NULL,
      answer        TEXT NOT NULL,
      created_at    TEXT NOT NULL,
      PRIMARY KEY (principal_uid, key)
    );
    CREATE INDEX idempotent_answers_by_age ON idempotent_answers (created_at);

    -- What has changed, in the order of the commits, for streams of events.
    CREATE TABLE changes (
      seq         INTEGER PRIMARY KEY,
      kind        TEXT NOT NULL,
      subject     TEXT NOT NULL,
      factory_uid TEXT,
      owner_uid   TEXT,
      webhook_uid TEXT,
      status      TEXT NOT NULL,
      at          TEXT NOT NULL
    );

    -- Runs from before there was a listing.
    INSERT INTO facet_texts (text)
      SELECT state FROM runs UNION SELECT source FROM runs UNION SELECT COALESCE(factory_uid, 'creator:' || creator_uid) FROM runs
      UNION SELECT creator_uid FROM runs UNION SELECT config_name FROM runs WHERE config_name IS NOT NULL
      UNION SELECT model_id FROM runs WHERE model_id IS NOT NULL
      UNION SELECT automation_uid FROM runs WHERE automation_uid IS NOT NULL;
    INSERT INTO run_listing (run_id, created_at, updated_at, lifespan, state, source, audience, in_factory, creator,
                             executor, name, model, environment, schedule, automation, title)
      SELECT run_id,
        CAST(strftime('%s', created_at) AS INTEGER) * 1000 + CAST(substr(created_at, 21, 3) AS INTEGER),
        CAST(strftime('%s', updated_at) AS INTEGER) * 1000 + CAST(substr(updated_at, 21, 3) AS INTEGER),
        0,
        (SELECT id FROM facet_texts WHERE text = state),
        (SELECT id FROM facet_texts WHERE text = source),
        (SELECT id FROM facet_texts WHERE text = COALESCE(factory_uid, 'creator:' || creator_uid)),
        factory_uid IS NOT NULL,
        (SELECT id FROM facet_texts WHERE text = creator_uid),
        (SELECT id FROM facet_texts WHERE text = creator_uid),
        COALESCE((SELECT id FROM facet_texts WHERE text = config_name), 0),
        COALESCE((SELECT id FROM facet_texts WHERE text = model_id), 0),
        0, 0,
        COALESCE((SELECT id FROM facet_texts WHERE text = automation_uid), 0),
        title
      FROM runs ORDER BY run_id;
    UPDATE run_listing SET lifespan = CAST(log(2, MAX(updated_at - created_at, 0) + 1) AS INTEGER);
    INSERT INTO run_search (number, text)
      SELECT number, lower(l.title || char(10) || substr(r.prompt, 1, 1000))
      FROM run_listing l JOIN runs r ON r.run_id = l.run_id;
  `,
};

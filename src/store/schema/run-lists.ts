/** What runs are listed, filtered and searched by. */
export const RUN_LISTS = `
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
    skill       TEXT,
    -- The webhook whose delivery started a run, with its factory: another may get its uid. Entered once, when the run is
    -- listed.
    webhook     INTEGER NOT NULL DEFAULT 0
  );
  -- One filter, last updated first.
  CREATE INDEX run_listing_by_state       ON run_listing (state, updated_at);
  CREATE INDEX run_listing_by_source      ON run_listing (source, updated_at);
  CREATE INDEX run_listing_by_audience    ON run_listing (audience, updated_at);
  CREATE INDEX run_listing_by_creator     ON run_listing (creator, updated_at);
  CREATE INDEX run_listing_by_environment ON run_listing (environment, updated_at);
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
  -- A run is entered only where it has one of these.
  CREATE INDEX run_listing_by_name       ON run_listing (name, updated_at)       WHERE name <> 0;
  CREATE INDEX run_listing_by_model      ON run_listing (model, updated_at)      WHERE model <> 0;
  CREATE INDEX run_listing_by_schedule   ON run_listing (schedule, updated_at)   WHERE schedule <> 0;
  -- How the last runs of an automation or an agent ended is read from the index alone.
  CREATE INDEX run_listing_by_automation ON run_listing (automation, updated_at, state) WHERE automation <> 0;
  CREATE INDEX run_listing_by_executor ON run_listing (executor, updated_at, state);
  CREATE INDEX run_listing_by_webhook ON run_listing (webhook) WHERE webhook <> 0;

  -- Facets that a run can have several of: metadata, ancestors, skills, types of artifacts.
  CREATE TABLE run_tags (
    tag    INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (tag, number)
  ) WITHOUT ROWID;
  -- A run is deleted without a look at every tag.
  CREATE INDEX run_tags_of_run ON run_tags (number);

  -- What "q" looks at, folded.
  CREATE TABLE run_search (
    number INTEGER PRIMARY KEY,
    text   TEXT NOT NULL
  );

  -- Up to which change the list of runs shows what has happened.
  CREATE TABLE listing_progress (
    seq INTEGER NOT NULL
  );
  INSERT INTO listing_progress (seq) VALUES (0);
`;

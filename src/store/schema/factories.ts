/** Factories with their definitions and revisions, and what belongs to the server: secrets, principals, servers and workers. */
export const FACTORIES = `
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
    created_at         TEXT NOT NULL,
    -- Since when the factory keeps what is in force, whatever its source says.
    suspended_at       TEXT,
    -- Whether no source of the last start served it.
    rests              INTEGER NOT NULL DEFAULT 0,
    -- The number of the last change of what the factory serves. It stays 0 until something is applied.
    generation         INTEGER NOT NULL DEFAULT 0
  );
  -- Each delivery asks for it, and the row of a factory may have many problems in it.
  CREATE UNIQUE INDEX factory_generations ON factories (uid, generation);

  -- Names that settings use for factories, beside those that the settings give: whoever has such a name first keeps it,
  -- also when its definition takes another, and when it is deleted. Another factory that takes the name gets nothing by it.
  CREATE TABLE bound_names (
    name        TEXT PRIMARY KEY,
    factory_uid TEXT NOT NULL
  ) WITHOUT ROWID;

  -- The number of the last change of any factory: whoever serves factories from memory compares it.
  CREATE TABLE factory_generation (
    value INTEGER NOT NULL
  );
  INSERT INTO factory_generation (value) VALUES (0);

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
    webhook_uid     TEXT PRIMARY KEY REFERENCES resources (uid),
    secret_name     TEXT NOT NULL,
    sealed          BLOB NOT NULL,
    taken_at        TEXT NOT NULL,
    -- The secret that a webhook had before, since when it is the previous one, and until when it is still accepted.
    previous_sealed BLOB,
    previous_since  TEXT,
    previous_until  TEXT,
    -- When the credential was taken that it comes before: a server that does not know these columns leaves them as they are.
    previous_of     TEXT
  );

  -- Webhooks of deleted factories, for good: their senders go on sending.
  CREATE TABLE deleted_webhooks (
    uid         TEXT PRIMARY KEY,
    factory_uid TEXT NOT NULL,
    deleted_at  TEXT NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE revisions (
    id          TEXT PRIMARY KEY,
    factory_uid TEXT NOT NULL REFERENCES factories (uid),
    revision    TEXT NOT NULL,
    author      TEXT,
    message     TEXT,
    outcome     TEXT NOT NULL,
    changes     TEXT NOT NULL,
    problems    TEXT NOT NULL,
    at          TEXT NOT NULL,
    -- Why the attempt was made, and for whom when somebody asked for it. The oldest have neither.
    reason      TEXT,
    principal   TEXT
  );
  CREATE INDEX revisions_of_factory ON revisions (factory_uid, id);

  -- Contents of files of applied revisions, each once. Those that no file names are deleted with the last that did.
  CREATE TABLE file_contents (
    -- SHA-256 of the bytes.
    hash  BLOB PRIMARY KEY,
    bytes BLOB NOT NULL
  );

  -- What was applied to a factory, numbered in that order. A revision can come into force twice.
  CREATE TABLE applied_trees (
    factory_uid TEXT NOT NULL REFERENCES factories (uid),
    number      INTEGER NOT NULL,
    revision    TEXT NOT NULL,
    PRIMARY KEY (factory_uid, number)
  );
  CREATE INDEX applied_trees_of_revision ON applied_trees (factory_uid, revision, number);

  -- Their files. A file that an apply does not change costs nothing.
  CREATE TABLE revision_files (
    factory_uid TEXT NOT NULL REFERENCES factories (uid),
    path        TEXT NOT NULL,
    -- The first number that has it, and the first one after it that has not: null while the newest has it.
    since_tree  INTEGER NOT NULL,
    until_tree  INTEGER,
    -- As git has it: 100644, 100755 (executable), 120000 (link) or 160000 (submodule).
    mode        TEXT NOT NULL,
    size        INTEGER NOT NULL,
    -- What the source names the content by.
    content_id  TEXT NOT NULL,
    -- Null for what is no file, or is too large for its source to have read it.
    hash        BLOB REFERENCES file_contents (hash),
    PRIMARY KEY (factory_uid, path, since_tree)
  );
  CREATE INDEX revision_files_of_content ON revision_files (hash);
  CREATE INDEX revision_files_of_newest ON revision_files (factory_uid) WHERE until_tree IS NULL;

  -- The commits of repositories that millrace keeps which came into force, in that order. Of each, all objects are stored.
  CREATE TABLE managed_heads (
    factory_uid TEXT NOT NULL REFERENCES factories (uid),
    number      INTEGER NOT NULL,
    commit_id   TEXT NOT NULL,
    PRIMARY KEY (factory_uid, number)
  );
  CREATE INDEX managed_heads_of_commit ON managed_heads (factory_uid, commit_id);

  -- Their objects: whoever has the repository as of one number lacks those with a higher one.
  CREATE TABLE git_objects (
    factory_uid TEXT NOT NULL REFERENCES factories (uid),
    oid         TEXT NOT NULL,
    -- commit, tree or blob
    type        TEXT NOT NULL,
    -- Of the content; the bytes are the content as zlib deflates it, which is how git has it in packs.
    size        INTEGER NOT NULL,
    bytes       BLOB NOT NULL,
    number      INTEGER NOT NULL,
    PRIMARY KEY (factory_uid, oid)
  );
  CREATE INDEX git_objects_by_number ON git_objects (factory_uid, number);

  -- What somebody holds, without a commit: an automation, a webhook, a factory or, with none of them, the server.
  CREATE TABLE pauses (
    pause_id       TEXT PRIMARY KEY,
    factory_uid    TEXT,
    webhook_uid    TEXT,
    automation_uid TEXT,
    name           TEXT,
    reason         TEXT,
    created_by     TEXT NOT NULL,
    created_at     TEXT NOT NULL
  );
  -- A pause holds one thing of one factory: a webhook is no automation, though both can have one uid.
  CREATE UNIQUE INDEX pauses_by_scope ON pauses (
    COALESCE(factory_uid, ''), COALESCE(webhook_uid, ''), COALESCE(automation_uid, ''));

  -- Checks of pull requests that were asked for and are not done.
  CREATE TABLE check_requests (
    host_key TEXT NOT NULL,
    -- JSON: which pull request, or which commit at the heads of some.
    subject  TEXT NOT NULL,
    -- A new one each time that it is asked for.
    ticket   TEXT NOT NULL,
    asked_at TEXT NOT NULL,
    PRIMARY KEY (host_key, subject)
  );

  -- The head that an open pull request had when it was checked last.
  CREATE TABLE checked_pull_requests (
    host_key TEXT NOT NULL,
    number   INTEGER NOT NULL,
    head     TEXT NOT NULL,
    PRIMARY KEY (host_key, number)
  );

  -- What was said of a production commit, so that it is not said again.
  CREATE TABLE told_commits (
    host_key    TEXT PRIMARY KEY,
    commit_hash TEXT NOT NULL,
    outcome     TEXT NOT NULL,
    told_at     TEXT NOT NULL
  );

  CREATE TABLE secrets (
    name       TEXT PRIMARY KEY,
    sealed     BLOB NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  );

  -- One row: what the master key was derived with, and a value that proves it.
  CREATE TABLE sealing (
    only_row    INTEGER PRIMARY KEY CHECK (only_row = 1),
    salt        BLOB NOT NULL,
    check_value BLOB NOT NULL
  );

  -- Which factories may use a secret, by its name: one that the settings keep outside of this database has no other row.
  CREATE TABLE secret_scopes (
    name        TEXT NOT NULL,
    -- '*' for every factory. A factory that is gone may stay here: its uid never comes back.
    factory_uid TEXT NOT NULL,
    PRIMARY KEY (name, factory_uid)
  );

  -- Which factories may use what the settings give to all of them otherwise: 'forges.NAME' and 'workerEnvironment'.
  CREATE TABLE setting_scopes (
    name        TEXT NOT NULL,
    -- '*' for every factory.
    factory_uid TEXT NOT NULL,
    PRIMARY KEY (name, factory_uid)
  ) WITHOUT ROWID;

  -- Answers with secrets that were just made, for a sender who repeats a request with its Idempotency-Key.
  CREATE TABLE secret_answers (
    -- Codes of who sends the request with which key, and of what it asks for.
    answer_id    TEXT PRIMARY KEY,
    request_code TEXT NOT NULL,
    -- Who carries the request out; nothing when that is done.
    holder       TEXT,
    -- Opened with the master key and the Idempotency-Key; nothing when it is no longer shown.
    sealed       BLOB,
    -- When it was begun, and then when it was answered.
    changed_at   TEXT NOT NULL
  );
  CREATE INDEX secret_answers_by_age ON secret_answers (changed_at);

  -- Keys that sign the tokens with which runs prove who they are.
  CREATE TABLE signing_keys (
    -- The thumbprint of the public half.
    key_id     TEXT PRIMARY KEY,
    generation INTEGER NOT NULL UNIQUE,
    -- A JSON Web Key.
    public_key TEXT NOT NULL,
    -- The private half, sealed with the master key.
    sealed     BLOB NOT NULL,
    -- From when on it signs, until a later one does.
    signs_from TEXT NOT NULL,
    created_at TEXT NOT NULL
  );

  CREATE TABLE principals (
    uid          TEXT PRIMARY KEY,
    kind         TEXT NOT NULL,
    display_name TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    UNIQUE (kind, display_name)
  );

  CREATE TABLE api_keys (
    id            TEXT PRIMARY KEY,
    principal_uid TEXT NOT NULL REFERENCES principals (uid),
    name          TEXT NOT NULL,
    kind          TEXT NOT NULL,
    role          TEXT NOT NULL,
    -- JSON list of factory uids; null reaches every factory.
    factories     TEXT,
    prefix        TEXT NOT NULL,
    hash          TEXT NOT NULL UNIQUE,
    -- Whether the key came from the settings: such a key leaves when the setting changes.
    from_settings INTEGER NOT NULL,
    created_at    TEXT NOT NULL,
    last_used_at  TEXT,
    expires_at    TEXT,
    revoked_at    TEXT
  );

  -- Browsers that are signed in. The id itself is in the browser alone.
  CREATE TABLE sessions (
    hash         TEXT PRIMARY KEY,
    key_id       TEXT NOT NULL REFERENCES api_keys (id),
    created_at   TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    expires_at   TEXT NOT NULL
  );

  -- Ids rise with time. Who acted is written as it was then.
  CREATE TABLE audit_log (
    id             TEXT PRIMARY KEY,
    at             TEXT NOT NULL,
    principal_uid  TEXT NOT NULL,
    principal_kind TEXT NOT NULL,
    display_name   TEXT NOT NULL,
    key_id         TEXT,
    run_id         TEXT,
    action         TEXT NOT NULL,
    subject        TEXT NOT NULL,
    status         INTEGER NOT NULL,
    trace_id       TEXT,
    address        TEXT NOT NULL,
    -- Refused calls beyond what a caller may leave in a minute are counted on one record.
    repeats        INTEGER NOT NULL DEFAULT 0,
    last_at        TEXT,
    -- Without an index: every call of the API that writes would pay for it, and only people filter this log.
    factory_uid    TEXT
  );

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
    updated_at     TEXT NOT NULL,
    -- NULL: unless they see secrets.
    cache_setup    INTEGER
  );

  -- The agents that the API makes; those of definitions are resources.
  CREATE TABLE identities (
    uid         TEXT PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    description TEXT,
    secrets     TEXT NOT NULL,
    skills      TEXT NOT NULL,
    created_at  TEXT NOT NULL,
    updated_at  TEXT NOT NULL,
    config      TEXT NOT NULL DEFAULT '{}'
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
    last_spawn_error TEXT,
    -- What each run of a schedule is marked with, and how an identity's runs execute, as JSON.
    metadata         TEXT NOT NULL DEFAULT '{}',
    -- In which the cron expression of a schedule is meant: a name of the IANA database.
    timezone         TEXT NOT NULL DEFAULT 'UTC'
  );

  -- Due times that have fired. The primary key is what keeps one from firing twice.
  CREATE TABLE schedule_firings (
    key    TEXT NOT NULL,
    due_at TEXT NOT NULL,
    -- Null for one that could start nothing.
    run_id TEXT,
    PRIMARY KEY (key, due_at)
  );
  CREATE INDEX schedule_firings_by_age ON schedule_firings (due_at);

  -- The servers that share this store. Each says now and then that it is there.
  CREATE TABLE servers (
    -- Of its data folder.
    server_uid  TEXT PRIMARY KEY,
    -- Of its machine.
    name        TEXT NOT NULL,
    version     TEXT NOT NULL,
    started_at  TEXT NOT NULL,
    seen_at     TEXT NOT NULL,
    is_leader   INTEGER NOT NULL,
    -- How many runs it executes, and how many it can.
    executing   INTEGER NOT NULL,
    concurrency INTEGER NOT NULL
  );

  -- Who may connect to execute runs. Several may have one name: a name is a pool.
  CREATE TABLE workers (
    id             TEXT PRIMARY KEY,
    name           TEXT NOT NULL,
    -- JSON list of the labels that were granted.
    labels         TEXT NOT NULL,
    -- JSON list of factory uids; null for every factory.
    factories      TEXT,
    prefix         TEXT NOT NULL,
    hash           TEXT NOT NULL UNIQUE,
    -- JSON of the principal that made it.
    created_by     TEXT NOT NULL,
    created_at     TEXT NOT NULL,
    draining_since TEXT
  );

  -- Processes that have connected with the token of a worker.
  CREATE TABLE worker_processes (
    worker_id    TEXT NOT NULL REFERENCES workers (id),
    process_uid  TEXT NOT NULL,
    -- JSON of what it reports of itself.
    facts        TEXT NOT NULL,
    connected_at TEXT NOT NULL,
    seen_at      TEXT NOT NULL,
    left_at      TEXT,
    PRIMARY KEY (worker_id, process_uid)
  );
  CREATE INDEX worker_processes_by_seen ON worker_processes (seen_at, worker_id, process_uid);

  -- Workers that claim turns and let them fall back, by the data folder of each: how often, and until when they get none.
  CREATE TABLE fallen_claims (
    home  TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    until TEXT NOT NULL
  );
  CREATE INDEX fallen_claims_until ON fallen_claims (until);

  -- What is written to see whether the store can write.
  CREATE TABLE health (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    filler   BLOB NOT NULL
  );
`;

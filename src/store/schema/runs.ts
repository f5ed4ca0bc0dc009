/** Runs: the queue, the turns, and what they leave. */
export const RUNS = `
  CREATE TABLE runs (
    run_id              TEXT PRIMARY KEY,
    factory_uid         TEXT,
    automation_uid      TEXT,
    agent_uid           TEXT,
    delivery_id         TEXT,
    webhook_uid         TEXT,
    title               TEXT NOT NULL,
    prompt              TEXT NOT NULL,
    source              TEXT NOT NULL,
    creator             TEXT NOT NULL,
    creator_uid         TEXT NOT NULL,
    config              TEXT NOT NULL,
    config_name         TEXT,
    model_id            TEXT,
    execution           TEXT NOT NULL,
    metadata            TEXT NOT NULL,
    state               TEXT NOT NULL,
    -- Rises with every claim: whoever acts on a run has to show the ticket that it was claimed with.
    ticket              INTEGER NOT NULL DEFAULT 0,
    turn                INTEGER NOT NULL DEFAULT 1,
    token_hash          TEXT,
    session_id          TEXT,
    status_message      TEXT,
    exit_code           INTEGER,
    created_at          TEXT NOT NULL,
    updated_at          TEXT NOT NULL,
    started_at          TEXT,
    finished_at         TEXT,
    executor            TEXT,
    ancestors           TEXT NOT NULL DEFAULT '[]',
    schedule_id         TEXT,
    cancel_requested_at TEXT,
    -- Who has a run, and until when nobody else may take it for lost.
    worker              TEXT,
    lease_expires_at    TEXT,
    turn_started_at     TEXT,
    -- Milliseconds that agents have worked on it, over all of its turns that have ended.
    worked_ms           INTEGER,
    -- Whether the agent's session takes messages, and what its harness calls that session.
    takes_input         INTEGER NOT NULL DEFAULT 0,
    harness_session     TEXT,
    -- What its agent said at last.
    answer              TEXT,
    -- The schedule that started a run, as it was then: JSON.
    schedule            TEXT,
    -- When a worker took the run for the first time: what the runs of an hour are counted by.
    first_claimed_at    TEXT,
    -- Who ended a blocked run, and why.
    dismissal           TEXT,
    -- Milliseconds in which agents were alive and waited for a person, which are part of worked_ms; and since when one waits.
    -- Nothing is known of runs from before.
    away_ms             INTEGER,
    away_at             TEXT,
    -- The run that a run repeats. Runs of one that is repeated are found by a tag of the list.
    rerun_of            TEXT,
    -- The number of the last piece of output that was deleted, after which the next turn goes on.
    output_seq          INTEGER,
    -- The first of the ancestors of a run, by which a family is found; nothing for a run that was not started by another one.
    family_id           TEXT,
    -- The runs that a run waits for and that have not ended, as a JSON list; null for one that waits for none.
    waiting_for         TEXT,
    -- Of a run in plan mode: whether its plan is proposed or approved; null while it plans, and for every other run.
    plan_state          TEXT,
    -- What an agent says that it is doing.
    status_line         TEXT,
    -- When an agent reported its answer itself: what its harness says at last does not replace that.
    answered_at         TEXT,
    -- The task that a run belongs to. Most runs belong to none.
    task_uid            TEXT,
    -- The token of the last turn that has ended: whoever uses it still is recorded with the run.
    ended_token_hash    TEXT,
    -- What a run demands of the worker that executes it; empty for one that names no worker.
    placement           TEXT NOT NULL DEFAULT '',
    -- Where the workspace of a run is: of whom the last turn was whose agent was started. Null where nobody knows.
    home                TEXT,
    -- Who has claimed the turn, in the same form. It becomes the home when the agent is started.
    claimed_home        TEXT,
    -- Since when the run waits for its turn, if it is not the first one. A claim that falls back does not change it.
    turn_asked_at       TEXT,
    -- What makes runs one thing: the uid of the automation and the key of the delivery, with a space between them.
    concurrency_key     TEXT,
    -- Until when the run may be continued, and holds its key while it is blocked.
    key_until           TEXT,
    -- Of a run that waits and may not be claimed: when its window ends, or '~' while it waits for its key. Its placement begins
    -- with '~' then, which nobody claims, not even a server of an earlier version.
    held_until          TEXT,
    window_opened_at    TEXT,
    -- What the window was opened with.
    window_setting      TEXT,
    -- Which request of a worker has claimed the turn of a run, so that another server can answer it again.
    claimed_for         TEXT,
    -- The automation of its factory that has started the family of a run, whose money the run uses too.
    root_automation_uid TEXT,
    -- The instant by which a run has its turn among those of its factory; null where that is its creation.
    queue_at            TEXT,
    -- Of a run that waits for the end of a provider's limit: the hold. Its placement begins with '~' then.
    provider_hold       TEXT,
    -- The model that the turn uses in place of the run's own, which a hold keeps it from.
    provider_model      TEXT,
    -- How often a turn was cut short because the provider was not available, or refused more.
    provider_retries    INTEGER NOT NULL DEFAULT 0,
    provider_limited    INTEGER NOT NULL DEFAULT 0,
    -- The last answer that fits the schema of the run, as JSON, and the turn that it is of.
    answer_json         TEXT,
    answer_json_turn    INTEGER,
    -- The turn in which a wrong answer is repaired: there is one for each.
    repair_turn         INTEGER
  );
  -- Those that were cut short least often ask first.
  CREATE INDEX runs_of_provider_hold ON runs (provider_hold, (provider_retries + provider_limited), run_id) WHERE provider_hold IS NOT NULL;
  CREATE INDEX runs_of_delivery ON runs (delivery_id) WHERE delivery_id IS NOT NULL;
  CREATE INDEX runs_leased ON runs (lease_expires_at) WHERE lease_expires_at IS NOT NULL;
  CREATE INDEX runs_by_token ON runs (token_hash) WHERE token_hash IS NOT NULL;
  CREATE INDEX runs_by_first_claim ON runs (factory_uid, first_claimed_at) WHERE first_claimed_at IS NOT NULL;
  -- The only index that begins with the state: beside one of the state alone, SQLite took that and sorted everything that waited.
  CREATE INDEX runs_in_state ON runs (state, run_id);
  CREATE INDEX runs_by_session ON runs (session_id) WHERE session_id IS NOT NULL;
  -- Few runs fail: those that do lead to their deliveries.
  CREATE INDEX runs_failed_of_deliveries ON runs (delivery_id)
    WHERE state IN ('FAILED', 'ERROR') AND delivery_id IS NOT NULL;
  CREATE INDEX runs_by_family ON runs (family_id, run_id) WHERE family_id IS NOT NULL;
  CREATE INDEX runs_of_task ON runs (task_uid, run_id) WHERE task_uid IS NOT NULL;
  CREATE INDEX runs_by_ended_token ON runs (ended_token_hash) WHERE ended_token_hash IS NOT NULL;
  -- What the runs of a day are counted by, as runs_by_first_claim for factories.
  CREATE INDEX runs_of_automation_by_first_claim ON runs (automation_uid, first_claimed_at)
    WHERE automation_uid IS NOT NULL AND first_claimed_at IS NOT NULL;
  CREATE INDEX runs_of_agent_by_first_claim ON runs (agent_uid, first_claimed_at)
    WHERE agent_uid IS NOT NULL AND first_claimed_at IS NOT NULL;
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

  -- A file that a run is given. The body of a delivery stays with the delivery and is only named here.
  CREATE TABLE run_attachments (
    run_id      TEXT NOT NULL REFERENCES runs (run_id),
    name        TEXT NOT NULL,
    mime_type   TEXT NOT NULL,
    size        INTEGER NOT NULL,
    content     BLOB,
    delivery_id TEXT,
    PRIMARY KEY (run_id, name)
  );
  CREATE INDEX run_attachments_of_delivery ON run_attachments (delivery_id) WHERE delivery_id IS NOT NULL;

  CREATE TABLE run_followups (
    followup_id    TEXT PRIMARY KEY,
    run_id         TEXT NOT NULL REFERENCES runs (run_id),
    message        TEXT NOT NULL,
    outcome        TEXT NOT NULL,
    creator        TEXT NOT NULL,
    created_at     TEXT NOT NULL,
    -- The turn that it was given to; null while it waits.
    turn           INTEGER,
    -- When its agent was given a message.
    given_at       TEXT,
    -- Whether a message answered the question of a blocked run.
    is_answer      INTEGER NOT NULL DEFAULT 0,
    -- Whether a message was written to a session that has written nothing since; and whether an earlier turn may have read it.
    is_unconfirmed INTEGER NOT NULL DEFAULT 0,
    is_repeated    INTEGER NOT NULL DEFAULT 0,
    -- The run whose agent has sent a message, and the turn that it was in; nothing for messages with an API key.
    from_run       TEXT,
    from_turn      INTEGER
  );
  CREATE INDEX run_followups_of_run ON run_followups (run_id, followup_id);
  CREATE INDEX run_followups_by_sender ON run_followups (from_run, from_turn) WHERE from_run IS NOT NULL;

  -- What agents say to people: questions and answers. What is said to them is in runs (the prompt) and run_followups.
  CREATE TABLE run_messages (
    run_id     TEXT NOT NULL REFERENCES runs (run_id),
    message_id TEXT NOT NULL,
    turn       INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    text       TEXT NOT NULL,
    created_at TEXT NOT NULL,
    -- Of a question: the answers that its agent offers, and how urgent it is.
    details    TEXT,
    PRIMARY KEY (run_id, message_id)
  ) WITHOUT ROWID;

  -- The events of a run are read together, and nothing else reads them: one tree in that order instead of three.
  CREATE TABLE run_events (
    run_id      TEXT NOT NULL REFERENCES runs (run_id),
    event_uuid  TEXT NOT NULL,
    event_type  TEXT NOT NULL,
    occurred_at TEXT NOT NULL,
    payload     TEXT,
    PRIMARY KEY (run_id, event_uuid)
  ) WITHOUT ROWID;

  -- The runs that the agent of a run has started with its token, also those that were deleted, and under which keys.
  CREATE TABLE run_starts (
    run_id       TEXT NOT NULL REFERENCES runs (run_id),
    child_id     TEXT NOT NULL,
    key          TEXT,
    request_hash TEXT,
    answer       TEXT NOT NULL,
    PRIMARY KEY (run_id, child_id)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX run_starts_by_key ON run_starts (run_id, key) WHERE key IS NOT NULL;

  -- A run can have several waits at the same time: an agent can call wait_for again while an earlier call is held open.
  CREATE TABLE run_waits (
    wait_id TEXT PRIMARY KEY,
    run_id  TEXT NOT NULL,
    mode    TEXT NOT NULL,
    until   TEXT NOT NULL,
    -- The ids of the runs in this wait, sorted, as a JSON list.
    targets TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX run_waits_until ON run_waits (until);
  CREATE INDEX run_waits_of_run ON run_waits (run_id);

  -- The runs that a run has waited for, also in earlier waits.
  CREATE TABLE run_wait_targets (
    run_id    TEXT NOT NULL,
    target_id TEXT NOT NULL,
    -- Whether it belongs to the present wait, and has not ended since that was recorded.
    is_open   INTEGER NOT NULL,
    -- The last turn of it whose result the waiting run was given.
    told_turn INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run_id, target_id)
  ) WITHOUT ROWID;
  CREATE INDEX run_wait_targets_open ON run_wait_targets (target_id) WHERE is_open = 1;

  -- The deliveries of a run whose automation has a key or a window, in the order in which they came.
  CREATE TABLE run_deliveries (
    run_id         TEXT NOT NULL,
    position       INTEGER NOT NULL,
    delivery_id    TEXT NOT NULL,
    automation_uid TEXT,
    -- started, joined, replaced, continued; or repeated, in a run that repeats another one.
    kind           TEXT NOT NULL,
    key            TEXT,
    lacks_key      INTEGER NOT NULL DEFAULT 0,
    -- The runs that it has replaced, as JSON.
    replaced       TEXT,
    -- What the run that it started had to wait for: key or window.
    waited_for     TEXT,
    at             TEXT NOT NULL,
    -- Bytes of the bodies up to this one.
    total_size     INTEGER NOT NULL,
    PRIMARY KEY (run_id, position)
  );
  CREATE INDEX run_deliveries_by_delivery ON run_deliveries (delivery_id);

  -- How often an agent has reported something of a kind that a loop could report for ever.
  CREATE TABLE run_report_counts (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    kind   TEXT NOT NULL,
    count  INTEGER NOT NULL,
    PRIMARY KEY (run_id, kind)
  ) WITHOUT ROWID;

  -- The page that the runs of a family share, by the run that the family began with, which may have been deleted. Runs
  -- of another factory, which a key may have started in the family, have another page; '' is no factory.
  CREATE TABLE family_notes (
    family_id   TEXT NOT NULL,
    factory_uid TEXT NOT NULL,
    text        TEXT NOT NULL,
    version     INTEGER NOT NULL,
    updated_at  TEXT NOT NULL,
    run_id      TEXT NOT NULL,
    agent       TEXT NOT NULL,
    PRIMARY KEY (family_id, factory_uid)
  ) WITHOUT ROWID;

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

  -- What agents report that they have made.
  CREATE TABLE run_artifacts (
    artifact_uid  TEXT PRIMARY KEY,
    run_id        TEXT NOT NULL REFERENCES runs (run_id),
    turn          INTEGER NOT NULL,
    artifact_type TEXT NOT NULL,
    data          TEXT NOT NULL,
    created_at    TEXT NOT NULL
  );
  CREATE INDEX run_artifacts_of_run ON run_artifacts (run_id, artifact_uid);

  -- Files that agents left, of a store that several servers share. One server keeps them in a folder.
  CREATE TABLE artifact_files (
    run_id     TEXT NOT NULL,
    file_id    TEXT NOT NULL,
    -- How many bytes have come. Rows behind them belong to nothing.
    size       INTEGER NOT NULL,
    -- Who adds to it: another one takes it over by writing itself down.
    writer     TEXT NOT NULL,
    is_whole   INTEGER NOT NULL,
    changed_at TEXT NOT NULL,
    PRIMARY KEY (run_id, file_id)
  );

  -- Their bytes, at most 256 KiB in a row.
  CREATE TABLE artifact_bytes (
    run_id   TEXT NOT NULL,
    file_id  TEXT NOT NULL,
    -- Of the first byte of the row in the file.
    position INTEGER NOT NULL,
    bytes    BLOB NOT NULL,
    PRIMARY KEY (run_id, file_id, position)
  );

  -- What must not be shown of a run whose agent is at work, sealed with the master key: its reports reach any server.
  CREATE TABLE run_masks (
    run_id TEXT PRIMARY KEY,
    sealed TEXT NOT NULL
  );

  -- The hosts that the programs of a turn have reached, and those that they were refused. The reason of one that was reached
  -- is empty.
  CREATE TABLE run_network (
    run_id      TEXT NOT NULL,
    turn        INTEGER NOT NULL,
    host        TEXT NOT NULL,
    port        INTEGER NOT NULL,
    reason      TEXT NOT NULL,
    requests    INTEGER NOT NULL,
    reported_at TEXT NOT NULL,
    PRIMARY KEY (run_id, turn, host, port, reason)
  ) WITHOUT ROWID;
  CREATE INDEX run_network_by_time ON run_network (reported_at);

  -- What the models of a turn were used for, as its harness told it last. Input holds what was read from a cache, which
  -- cached_tokens counts apart; no cost is known of a model whose harness tells none.
  CREATE TABLE run_usage (
    run_id         TEXT NOT NULL,
    turn           INTEGER NOT NULL,
    model          TEXT NOT NULL,
    input_tokens   INTEGER NOT NULL,
    output_tokens  INTEGER NOT NULL,
    cached_tokens  INTEGER NOT NULL,
    cost_usd       REAL,
    reported_at    TEXT NOT NULL,
    -- Who has told it: the program of the turn ('harness'), or who has measured it ('proxy'). Rows of an earlier version have none,
    -- and nothing in the columns below: what their runs belong to is looked up there.
    source         TEXT,
    -- Whether the cost was told with the tokens ('reported') or comes from the price of the model ('priced').
    cost_source    TEXT,
    -- What the run belongs to: usage is summed by it, also when the run is there no more.
    factory_uid    TEXT,
    automation_uid TEXT,
    agent_uid      TEXT,
    -- Whether no later turn of its run has used this model. Most runs have one turn, so sums need not look for others.
    is_last        INTEGER,
    run_is_gone    INTEGER NOT NULL DEFAULT 0,
    -- The root of the run, and what that belongs to; empty, and nothing, for a run that is a root itself. Rows of an earlier version
    -- have neither.
    family_id           TEXT,
    root_factory_uid    TEXT,
    root_automation_uid TEXT,
    root_agent_uid      TEXT,
    PRIMARY KEY (run_id, turn, model)
  ) WITHOUT ROWID;
  CREATE INDEX run_usage_by_time ON run_usage (reported_at);
  CREATE INDEX run_usage_of_automation ON run_usage (automation_uid, run_id) WHERE automation_uid IS NOT NULL;
  CREATE INDEX run_usage_of_family ON run_usage (family_id) WHERE family_id > '';
  CREATE INDEX run_usage_of_gone_runs ON run_usage (reported_at) WHERE run_is_gone = 1;

  -- Turns that have used something, and what they have taken of the machine that executed them.
  CREATE TABLE run_turns (
    run_id            TEXT NOT NULL,
    turn              INTEGER NOT NULL,
    factory_uid       TEXT,
    automation_uid    TEXT,
    agent_uid         TEXT,
    -- When the turn ended; while it goes on, when something was told of it last.
    used_at           TEXT NOT NULL,
    has_usage         INTEGER NOT NULL,
    -- Whether its run has no later turn here.
    is_last           INTEGER NOT NULL,
    -- How long the agent was alive; nothing while the turn goes on.
    worked_ms         INTEGER,
    -- Nothing where no cgroup has counted it.
    cpu_ms            INTEGER,
    peak_memory_bytes INTEGER,
    run_is_gone       INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run_id, turn)
  ) WITHOUT ROWID;
  CREATE INDEX run_turns_by_time ON run_turns (used_at);
  CREATE INDEX run_turns_of_gone_runs ON run_turns (used_at) WHERE run_is_gone = 1;

  -- What the runs of a factory, an agent or an automation have used, by the minute in which it was reported. Sums over
  -- the usage of all runs of a day would take too long where runs are claimed.
  CREATE TABLE spend (
    owner_uid TEXT NOT NULL,
    -- An instant up to its minutes.
    minute    TEXT NOT NULL,
    usd       REAL NOT NULL,
    PRIMARY KEY (owner_uid, minute)
  ) WITHOUT ROWID;
  CREATE INDEX spend_by_age ON spend (minute);

  -- Limits of a day that were used up, and since when that is told.
  CREATE TABLE used_up_days (
    owner_uid  TEXT NOT NULL,
    limit_name TEXT NOT NULL,
    most       REAL NOT NULL,
    told_at    TEXT NOT NULL,
    PRIMARY KEY (owner_uid, limit_name)
  ) WITHOUT ROWID;

  -- Credentials and models whose provider answers no more until an instant. One that has ended stays while runs wait for it.
  CREATE TABLE provider_holds (
    hold_id     TEXT PRIMARY KEY,
    -- Null for runs of no factory, and for those of all where it is shared.
    factory_uid TEXT,
    is_shared   INTEGER NOT NULL,
    credential  TEXT NOT NULL,
    model       TEXT NOT NULL,
    kind        TEXT NOT NULL,
    reason      TEXT NOT NULL,
    since       TEXT NOT NULL,
    hit_at      TEXT NOT NULL,
    hits        INTEGER NOT NULL,
    until       TEXT NOT NULL,
    probe_run   TEXT,
    ended_at    TEXT
  );
  CREATE UNIQUE INDEX provider_holds_by_scope ON provider_holds (credential, model, is_shared, (COALESCE(factory_uid, '')))
    WHERE ended_at IS NULL;
`;

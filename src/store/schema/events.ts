/** What comes in, what follows from it, and what is sent: deliveries and their search, pull requests, changes, triggers, tasks and messages. */
export const EVENTS = `
  CREATE TABLE deliveries (
    delivery_id     TEXT PRIMARY KEY,
    factory_uid     TEXT NOT NULL,
    webhook_uid     TEXT NOT NULL,
    outcome         TEXT NOT NULL,
    size            INTEGER NOT NULL,
    time            TEXT NOT NULL,
    identity_source TEXT,
    identity_value  TEXT,
    payload         BLOB,
    reason          TEXT,
    body_differs    INTEGER,
    duplicate_of    TEXT,
    redelivery_of   TEXT,
    -- What the provider's header says that a delivery tells of. Matching it again needs that: the body does not say it.
    event           TEXT,
    -- Who sent a delivery, as JSON: its address and some of its headers. Nothing for one that was sent again from here.
    sender          TEXT,
    -- Which of the two has proved a delivery: 'current' or 'previous'. Nothing in rows of an earlier version, and of refusals.
    proved_by       TEXT
  );
  -- What came for one factory is not another's, also under the same uid. The factory is in the index, so that counting reads
  -- nothing else.
  CREATE INDEX deliveries_of_webhook ON deliveries (webhook_uid, delivery_id, factory_uid);
  -- Few deliveries are not accepted: to record one that is costs no entry here. The webhook is in the index, so that what
  -- came to others is passed over without being read.
  CREATE INDEX deliveries_not_accepted ON deliveries (outcome, delivery_id, webhook_uid, factory_uid)
    WHERE outcome <> 'Accepted';
  CREATE INDEX deliveries_proved_by_previous ON deliveries (webhook_uid, delivery_id) WHERE proved_by = 'previous';

  -- Which deliveries have been accepted: one row an identity, remembered longer than the log.
  CREATE TABLE delivery_identities (
    identity    BLOB PRIMARY KEY,
    delivery_id TEXT NOT NULL,
    body_hash   BLOB NOT NULL,
    accepted_at TEXT NOT NULL
  );
  -- For forgetting the oldest first.
  CREATE INDEX delivery_identities_by_age ON delivery_identities (accepted_at);

  -- Deliveries that were refused without a record, of the last month.
  CREATE TABLE dropped_deliveries (
    factory_uid TEXT NOT NULL,
    webhook_uid TEXT NOT NULL,
    hour        TEXT NOT NULL,
    over_budget INTEGER NOT NULL,
    blocked     INTEGER NOT NULL,
    PRIMARY KEY (factory_uid, webhook_uid, hour)
  ) WITHOUT ROWID;
  -- The oldest are found without reading the rest.
  CREATE INDEX dropped_deliveries_by_hour ON dropped_deliveries (hour);

  -- By which words deliveries are found. A segment has the words of some deliveries; it is made once, and replaced by a
  -- larger one together with others.
  CREATE TABLE delivery_segments (
    segment     INTEGER PRIMARY KEY,
    -- 0 for deliveries that came since deliveries can be searched, 1 for those from before.
    part        INTEGER NOT NULL,
    state       TEXT NOT NULL,
    deliveries  INTEGER NOT NULL,
    first_id    TEXT NOT NULL,
    last_id     TEXT NOT NULL,
    -- Which segment, being made, takes its place; of that one, up to which term it is made.
    replaced_by INTEGER,
    made_up_to  BLOB
  );

  -- The ids of a segment's deliveries, 16 bytes each.
  CREATE TABLE delivery_segment_ids (
    segment INTEGER PRIMARY KEY,
    ids     BLOB NOT NULL
  );

  -- A block fills a page of the table: with its key in an index beside it, not a byte of it is elsewhere.
  CREATE TABLE delivery_terms (
    segment INTEGER NOT NULL,
    first   BLOB NOT NULL,
    data    BLOB NOT NULL
  );
  CREATE INDEX delivery_terms_in_order ON delivery_terms (segment, first);

  -- Deliveries whose words have to leave their segment, and when at the latest. Until then, they are not found.
  CREATE TABLE delivery_search_gone (
    delivery_id TEXT PRIMARY KEY,
    due         TEXT NOT NULL,
    segment     INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX delivery_search_gone_due ON delivery_search_gone (due) WHERE segment IS NULL;
  CREATE INDEX delivery_search_gone_from ON delivery_search_gone (segment) WHERE segment IS NOT NULL;

  -- Webhooks that were given the uid that they had before: segments know their deliveries under the other one.
  CREATE TABLE delivery_search_adoptions (
    factory_uid TEXT NOT NULL,
    webhook_uid TEXT NOT NULL,
    other_uid   TEXT NOT NULL,
    PRIMARY KEY (factory_uid, webhook_uid, other_uid)
  ) WITHOUT ROWID;

  -- Up to which change deliveries can be found; before which id older ones cannot yet.
  CREATE TABLE delivery_search_progress (
    seq    INTEGER NOT NULL,
    before TEXT,
    -- How often the search was tidied up: two servers may prepare the same step.
    steps  INTEGER NOT NULL DEFAULT 0
  );
  INSERT INTO delivery_search_progress (seq, before) VALUES (0, NULL);

  -- Who opened a pull request, as its deliveries told: those of workflow runs name it by number alone.
  CREATE TABLE pull_request_authors (
    factory_uid TEXT NOT NULL,
    repository  TEXT NOT NULL,
    number      INTEGER NOT NULL,
    author      TEXT NOT NULL,
    -- When a delivery told of a pull request last, so that what nobody tells of any more can be forgotten.
    told_at     TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (factory_uid, repository, number)
  ) WITHOUT ROWID;
  CREATE INDEX pull_request_authors_told ON pull_request_authors (told_at);

  -- What deliveries say about pull requests: how each was then, and who did something with it. It outlives the deliveries.
  CREATE TABLE pull_request_events (
    delivery_id TEXT PRIMARY KEY,
    factory_uid TEXT NOT NULL,
    webhook_uid TEXT NOT NULL,
    accepted_at TEXT NOT NULL,
    event       TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX pull_request_events_of_factory ON pull_request_events (factory_uid, delivery_id);
  CREATE INDEX pull_request_events_of_webhook ON pull_request_events (webhook_uid, delivery_id);
  CREATE INDEX pull_request_events_by_time ON pull_request_events (accepted_at);

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

  -- Up to which change the events of factories were followed. It counts while there are listeners.
  CREATE TABLE trigger_progress (
    seq INTEGER NOT NULL
  );
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

  -- What a factory works on. A deleted task stays as long as its retention says, so that its events can be read.
  CREATE TABLE tasks (
    uid             TEXT PRIMARY KEY,
    factory_uid     TEXT NOT NULL,
    -- The run whose conversation the task is; also when that run was deleted.
    conversation_id TEXT NOT NULL,
    title           TEXT NOT NULL,
    -- The title in lower case, which is searched.
    search_title    TEXT NOT NULL,
    description     TEXT,
    stage           TEXT NOT NULL,
    -- When the task entered its stage.
    stage_at        TEXT NOT NULL,
    author          TEXT NOT NULL,
    author_uid      TEXT NOT NULL,
    author_name     TEXT NOT NULL,
    ticket_id       TEXT,
    ticket_source   TEXT,
    ticket_url      TEXT,
    created_at      TEXT NOT NULL,
    updated_at      TEXT NOT NULL,
    deleted_at      TEXT
  );
  CREATE INDEX tasks_by_creation ON tasks (factory_uid, created_at, uid) WHERE deleted_at IS NULL;
  CREATE INDEX tasks_by_update ON tasks (factory_uid, updated_at, uid) WHERE deleted_at IS NULL;
  CREATE INDEX tasks_by_stage ON tasks (factory_uid, stage, updated_at, uid) WHERE deleted_at IS NULL;
  CREATE UNIQUE INDEX tasks_by_conversation ON tasks (conversation_id) WHERE deleted_at IS NULL;
  CREATE INDEX tasks_to_forget ON tasks (updated_at, uid)
    WHERE deleted_at IS NOT NULL OR stage IN ('COMPLETE', 'CANCELLED');
  CREATE INDEX tasks_of_factory ON tasks (factory_uid);

  -- Each entry of a task into a stage, its creation included, in the order of the commits.
  CREATE TABLE task_events (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    task_uid   TEXT NOT NULL,
    -- Null at the creation.
    from_stage TEXT,
    to_stage   TEXT NOT NULL,
    -- The principal; null when the end of the task's run has moved it.
    moved_by   TEXT,
    -- The run whose agent has moved it.
    run_id     TEXT,
    at         TEXT NOT NULL
  );
  CREATE INDEX task_events_of_task ON task_events (task_uid, seq);

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
    failures    INTEGER NOT NULL DEFAULT 0,
    -- What a target was when it failed last, and when: what is learned of one receiver says nothing of the next one, and times
    -- that were reckoned from an instant which is still to come mean nothing.
    fingerprint TEXT,
    failed_at   TEXT,
    failed_by   TEXT
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
    ended_at        TEXT,
    -- What a receiver has answered last, and when somebody asked for a message to be sent again.
    response        TEXT,
    requested_at    TEXT,
    bytes           INTEGER NOT NULL DEFAULT 0,
    tried_at        TEXT
  ) WITHOUT ROWID;
  CREATE INDEX notifications_waiting ON notifications (target, next_attempt_at, notification_id) WHERE state = 'waiting';
  CREATE INDEX notifications_of_owner ON notifications (owner_uid, notification_id) WHERE owner_uid IS NOT NULL;
  CREATE INDEX notifications_of_target ON notifications (target, notification_id);
  CREATE INDEX notifications_of_run ON notifications (run_id) WHERE run_id IS NOT NULL;
  CREATE INDEX notifications_of_factory ON notifications (factory_uid) WHERE factory_uid IS NOT NULL;
  CREATE INDEX notifications_ended ON notifications (ended_at) WHERE ended_at IS NOT NULL;
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
`;

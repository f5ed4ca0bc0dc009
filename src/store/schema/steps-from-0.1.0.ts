import type { Migration } from "../sqlite/database.ts";

/**
 * Steps from the schema of version 0.1.0 to the first one that PostgreSQL had: only SQLite stores can lack them. They were released,
 * so they are never edited.
 */
export const STEPS_FROM_0_1_0: readonly Migration[] = [
  {
    name: "032-delivery-search",
    sql: `
      -- By which words deliveries are found. A segment has the words of some deliveries; it is made once, and replaced by a
      -- larger one together with others.
      CREATE TABLE delivery_segments (
        segment     INTEGER PRIMARY KEY,
        -- 0 for deliveries that came since this table exists, 1 for those from before.
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

      -- Up to which change deliveries can be found; before which id those from before this table cannot yet.
      CREATE TABLE delivery_search_progress (
        seq    INTEGER NOT NULL,
        before TEXT
      );
      INSERT INTO delivery_search_progress (seq, before)
        SELECT COALESCE(MAX(seq), 0), (SELECT MAX(delivery_id) || '~' FROM deliveries) FROM changes;

      -- Few runs fail: those that do lead to their deliveries.
      CREATE INDEX runs_failed_of_deliveries ON runs (delivery_id)
        WHERE state IN ('FAILED', 'ERROR') AND delivery_id IS NOT NULL;
    `,
  },
  {
    name: "034-worked-time",
    sql: `
      -- Milliseconds in which agents were alive and waited for a person, which are part of worked_ms; and since when one waits.
      -- Nothing is known of runs from before.
      ALTER TABLE runs ADD COLUMN away_ms INTEGER;
      ALTER TABLE runs ADD COLUMN away_at TEXT;
    `,
  },
  {
    name: "035-reruns",
    sql: `
      -- The run that a run repeats. Runs of one that is repeated are found by a tag of the list.
      ALTER TABLE runs ADD COLUMN rerun_of TEXT;
    `,
  },
  {
    name: "036-activity",
    sql: `
      -- These counts are kept for a month now: the oldest are found without reading the rest.
      CREATE INDEX dropped_deliveries_by_hour ON dropped_deliveries (hour);

      -- How the last runs of an automation or an agent ended is read from the index alone. A run that moves was entered anew
      -- before too.
      DROP INDEX run_listing_by_automation;
      DROP INDEX run_listing_by_executor;
      CREATE INDEX run_listing_by_automation ON run_listing (automation, updated_at, state) WHERE automation <> 0;
      CREATE INDEX run_listing_by_executor ON run_listing (executor, updated_at, state);

      -- The webhook whose delivery started a run, with its factory: another may get its uid. Entered once, when the run is
      -- listed.
      ALTER TABLE run_listing ADD COLUMN webhook INTEGER NOT NULL DEFAULT 0;
      INSERT OR IGNORE INTO facet_texts (text)
        SELECT DISTINCT factory_uid || '/' || webhook_uid FROM runs WHERE webhook_uid IS NOT NULL AND factory_uid IS NOT NULL;
      UPDATE run_listing SET webhook = facet_texts.id
        FROM runs JOIN facet_texts ON facet_texts.text = runs.factory_uid || '/' || runs.webhook_uid
        WHERE runs.run_id = run_listing.run_id;
      CREATE INDEX run_listing_by_webhook ON run_listing (webhook) WHERE webhook <> 0;
    `,
  },
  {
    name: "037-audit-factory",
    sql: `
      -- Without an index: every call of the API that writes would pay for it, and only people filter this log.
      ALTER TABLE audit_log ADD COLUMN factory_uid TEXT;
    `,
  },
  {
    name: "038-notifications",
    sql: `
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
        failures    INTEGER NOT NULL DEFAULT 0
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
        ended_at        TEXT
      ) WITHOUT ROWID;
      CREATE INDEX notifications_waiting ON notifications (target, next_attempt_at, notification_id) WHERE state = 'waiting';
      CREATE INDEX notifications_of_owner ON notifications (owner_uid, notification_id) WHERE owner_uid IS NOT NULL;
      CREATE INDEX notifications_of_target ON notifications (target, notification_id);
      CREATE INDEX notifications_of_run ON notifications (run_id) WHERE run_id IS NOT NULL;
      CREATE INDEX notifications_of_factory ON notifications (factory_uid) WHERE factory_uid IS NOT NULL;
      CREATE INDEX notifications_ended ON notifications (ended_at) WHERE ended_at IS NOT NULL;
    `,
  },
  {
    name: "039-confirmed-messages",
    sql: `
      -- Whether a message was written to a session that has written nothing since; and whether an earlier turn may have read it.
      ALTER TABLE run_followups ADD COLUMN is_unconfirmed INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE run_followups ADD COLUMN is_repeated INTEGER NOT NULL DEFAULT 0;
      -- The number of the last piece of output that was deleted, after which the next turn goes on.
      ALTER TABLE runs ADD COLUMN output_seq INTEGER;
    `,
  },
  {
    name: "040-children",
    sql: `
      -- The first of the ancestors of a run, by which a family is found; nothing for a run that was not started by another one.
      ALTER TABLE runs ADD COLUMN family_id TEXT;
      UPDATE runs SET family_id = json_extract(ancestors, '$[0]') WHERE ancestors <> '[]';
      CREATE INDEX runs_by_family ON runs (family_id, run_id) WHERE family_id IS NOT NULL;

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

      -- The run whose agent has sent a message, and the turn that it was in; nothing for messages with an API key.
      ALTER TABLE run_followups ADD COLUMN from_run TEXT;
      ALTER TABLE run_followups ADD COLUMN from_turn INTEGER;
      CREATE INDEX run_followups_by_sender ON run_followups (from_run, from_turn) WHERE from_run IS NOT NULL;
    `,
  },
  {
    name: "041-waiting",
    sql: `
      -- The runs that a run waits for and that have not ended, as a JSON list; null for one that waits for none.
      ALTER TABLE runs ADD COLUMN waiting_for TEXT;
      -- Of a run in plan mode: whether its plan is proposed or approved; null while it plans, and for every other run.
      ALTER TABLE runs ADD COLUMN plan_state TEXT;

      -- The wait of a run, until its results are given.
      CREATE TABLE run_waits (
        run_id TEXT PRIMARY KEY,
        mode   TEXT NOT NULL,
        until  TEXT NOT NULL
      ) WITHOUT ROWID;
      CREATE INDEX run_waits_until ON run_waits (until);

      -- The runs that a run has waited for, also in earlier waits.
      CREATE TABLE run_wait_targets (
        run_id    TEXT NOT NULL,
        target_id TEXT NOT NULL,
        -- Whether it belongs to the present wait, and has not ended since that was recorded.
        is_open   INTEGER NOT NULL,
        -- Whether it belongs to the present wait.
        is_waited INTEGER NOT NULL,
        -- The last turn of it whose result the waiting run was given.
        told_turn INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (run_id, target_id)
      ) WITHOUT ROWID;
      CREATE INDEX run_wait_targets_open ON run_wait_targets (target_id) WHERE is_open = 1;
    `,
  },
  {
    name: "042-agent-reports",
    sql: `
      -- Of a question: the answers that its agent offers, and how urgent it is.
      ALTER TABLE run_messages ADD COLUMN details TEXT;
      -- What an agent says that it is doing.
      ALTER TABLE runs ADD COLUMN status_line TEXT;
      -- When an agent reported its answer itself: what its harness says at last does not replace that.
      ALTER TABLE runs ADD COLUMN answered_at TEXT;

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
    `,
  },
  {
    name: "043-tasks",
    sql: `
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

      -- The task that a run belongs to. Most runs belong to none.
      ALTER TABLE runs ADD COLUMN task_uid TEXT;
      CREATE INDEX runs_of_task ON runs (task_uid, run_id) WHERE task_uid IS NOT NULL;
    `,
  },
  {
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
  },
  {
    name: "045-several-waits",
    sql: `
      -- A run can have several waits at the same time: an agent can call wait_for again while an earlier call is held open.
      CREATE TABLE run_waits_by_id (
        wait_id TEXT PRIMARY KEY,
        run_id  TEXT NOT NULL,
        mode    TEXT NOT NULL,
        until   TEXT NOT NULL,
        -- The ids of the runs in this wait, sorted, as a JSON list.
        targets TEXT NOT NULL
      ) WITHOUT ROWID;
      INSERT INTO run_waits_by_id (wait_id, run_id, mode, until, targets)
        SELECT run_id, run_id, mode, until,
          (SELECT COALESCE(json_group_array(target_id), '[]') FROM (
             SELECT target_id FROM run_wait_targets
             WHERE run_wait_targets.run_id = run_waits.run_id AND is_waited = 1 ORDER BY target_id))
        FROM run_waits;
      DROP TABLE run_waits;
      ALTER TABLE run_waits_by_id RENAME TO run_waits;
      CREATE INDEX run_waits_until ON run_waits (until);
      CREATE INDEX run_waits_of_run ON run_waits (run_id);
      -- The waits themselves list their runs.
      ALTER TABLE run_wait_targets DROP COLUMN is_waited;
    `,
  },
  {
    name: "046-ended-tokens",
    sql: `
      -- The token of the last turn that has ended: whoever uses it still is recorded with the run.
      ALTER TABLE runs ADD COLUMN ended_token_hash TEXT;
      CREATE INDEX runs_by_ended_token ON runs (ended_token_hash) WHERE ended_token_hash IS NOT NULL;
    `,
  },
  {
    name: "047-workers",
    sql: `
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
    `,
  },
  {
    name: "048-placements",
    sql: `
      -- What a run demands of the worker that executes it; empty for one that names no worker.
      ALTER TABLE runs ADD COLUMN placement TEXT NOT NULL DEFAULT '';

      -- Waiting runs by what they demand: who claims finds the oldest of each, however many wait for somebody else.
      CREATE INDEX runs_waiting_by_placement ON runs ((CASE WHEN state = 'QUEUED' THEN placement END), run_id)
      WHERE (CASE WHEN state = 'QUEUED' THEN placement END) IS NOT NULL;

      -- The lanes of waiting runs tell placements apart too: runs that wait for a worker that is not there hold back no others.
      DROP INDEX runs_waiting_in_lanes;
      CREATE INDEX runs_waiting_in_lanes ON runs (
        (CASE WHEN state = 'QUEUED' THEN COALESCE(factory_uid, '') || '/' || COALESCE(automation_uid, '') || '/' ||
           COALESCE(webhook_uid, '') || CASE WHEN first_claimed_at IS NULL THEN '' ELSE '+' END ||
           CASE WHEN placement = '' THEN '' ELSE ' ' || placement END END),
        run_id)
      WHERE (CASE WHEN state = 'QUEUED' THEN COALESCE(factory_uid, '') || '/' || COALESCE(automation_uid, '') || '/' ||
               COALESCE(webhook_uid, '') || CASE WHEN first_claimed_at IS NULL THEN '' ELSE '+' END ||
               CASE WHEN placement = '' THEN '' ELSE ' ' || placement END END) IS NOT NULL;
    `,
  },
  {
    name: "049-homes",
    sql: `
      -- Where the workspace of a run is: of whom the last turn was whose agent was started. Null where nobody knows.
      ALTER TABLE runs ADD COLUMN home TEXT;
      -- Who has claimed the turn, in the same form. It becomes the home when the agent is started.
      ALTER TABLE runs ADD COLUMN claimed_home TEXT;
      -- Since when the run waits for its turn, if it is not the first one. A claim that falls back does not change it.
      ALTER TABLE runs ADD COLUMN turn_asked_at TEXT;
    `,
  },
];

import type { Migration } from "../sqlite/database.ts";

/**
 * Steps that stores of both databases can lack. New ones are added at the end, and what they change is changed in the schema of new
 * stores as well; released ones are never edited.
 */
export const STEPS: readonly Migration[] = [
  {
    name: "050-generations",
    sql: `
      -- The number of the last change of any factory: whoever serves factories from memory compares it.
      CREATE TABLE factory_generation (value INTEGER NOT NULL);
      INSERT INTO factory_generation (value) VALUES (0);
      -- The number of the last change of what the factory serves. It stays 0 until something is applied.
      ALTER TABLE factories ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
      -- Each delivery asks for it, and the row of a factory may have many problems in it.
      CREATE UNIQUE INDEX factory_generations ON factories (uid, generation);
    `,
  },
  {
    name: "051-revision-files",
    sql: `
      -- Contents of files of applied revisions, each once. Those that no file names are deleted with the last that did.
      CREATE TABLE file_contents (
        -- SHA-256 of the bytes.
        hash  BLOB PRIMARY KEY,
        bytes BLOB NOT NULL
      );

      -- What was applied to a factory since this step, numbered in that order. A revision can come into force twice.
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
    `,
  },
  {
    name: "052-git-objects",
    sql: `
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
    `,
  },
  {
    name: "053-artifact-bytes",
    sql: `
      -- Files that agents left, of a store that several servers share. One server keeps them in a folder.
      CREATE TABLE artifact_files (
        run_id TEXT NOT NULL,
        file_id TEXT NOT NULL,
        -- How many bytes have come. Rows behind them belong to nothing.
        size INTEGER NOT NULL,
        -- Who adds to it: another one takes it over by writing itself down.
        writer TEXT NOT NULL,
        is_whole INTEGER NOT NULL,
        changed_at TEXT NOT NULL,
        PRIMARY KEY (run_id, file_id)
      );

      -- Their bytes, at most 256 KiB in a row.
      CREATE TABLE artifact_bytes (
        run_id TEXT NOT NULL,
        file_id TEXT NOT NULL,
        -- Of the first byte of the row in the file.
        position INTEGER NOT NULL,
        bytes BLOB NOT NULL,
        PRIMARY KEY (run_id, file_id, position)
      );
    `,
  },
  {
    name: "054-several-servers",
    sql: `
      -- The servers that share this store. Each says now and then that it is there.
      CREATE TABLE servers (
        -- Of its data folder.
        server_uid TEXT PRIMARY KEY,
        -- Of its machine.
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        started_at TEXT NOT NULL,
        seen_at TEXT NOT NULL,
        is_leader INTEGER NOT NULL,
        -- How many runs it executes, and how many it can.
        executing INTEGER NOT NULL,
        concurrency INTEGER NOT NULL
      );

      -- What must not be shown of a run whose agent is at work, sealed with the master key: its reports reach any server.
      CREATE TABLE run_masks (
        run_id TEXT PRIMARY KEY,
        sealed TEXT NOT NULL
      );

      -- How often the search was tidied up: two servers may prepare the same step.
      ALTER TABLE delivery_search_progress ADD COLUMN steps INTEGER NOT NULL DEFAULT 0;
    `,
  },
  {
    name: "055-secret-answers",
    serversMustKnow: "054-several-servers",
    sql: `
      -- Answers with secrets that were just made, for a sender who repeats a request with its Idempotency-Key.
      CREATE TABLE secret_answers (
        -- Codes of who sends the request with which key, and of what it asks for.
        answer_id TEXT PRIMARY KEY,
        request_code TEXT NOT NULL,
        -- Who carries the request out; nothing when that is done.
        holder TEXT,
        -- Opened with the master key and the Idempotency-Key; nothing when it is no longer shown.
        sealed BLOB,
        -- When it was begun, and then when it was answered.
        changed_at TEXT NOT NULL
      );
      CREATE INDEX secret_answers_by_age ON secret_answers (changed_at);
    `,
  },
  {
    name: "056-usage",
    serversMustKnow: "054-several-servers",
    sql: `
      -- Who has told it: the program of the turn ('harness'), or who has measured it ('proxy'). Rows of an earlier version have none,
      -- and nothing in the columns below: what their runs belong to is looked up there.
      ALTER TABLE run_usage ADD COLUMN source TEXT;
      -- Whether the cost was told with the tokens ('reported') or comes from the price of the model ('priced').
      ALTER TABLE run_usage ADD COLUMN cost_source TEXT;
      -- What the run belongs to: usage is summed by it, also when the run is there no more.
      ALTER TABLE run_usage ADD COLUMN factory_uid TEXT;
      ALTER TABLE run_usage ADD COLUMN automation_uid TEXT;
      ALTER TABLE run_usage ADD COLUMN agent_uid TEXT;
      -- Whether no later turn of its run has used this model. Most runs have one turn, so sums need not look for others.
      ALTER TABLE run_usage ADD COLUMN is_last INTEGER;
      ALTER TABLE run_usage ADD COLUMN run_is_gone INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX run_usage_of_automation ON run_usage (automation_uid, run_id) WHERE automation_uid IS NOT NULL;
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
    `,
  },
  {
    name: "058-spend",
    serversMustKnow: "054-several-servers",
    sql: `
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

      -- What the runs of a day are counted by, as runs_by_first_claim for factories.
      CREATE INDEX runs_of_automation_by_first_claim ON runs (automation_uid, first_claimed_at)
        WHERE automation_uid IS NOT NULL AND first_claimed_at IS NOT NULL;
    `,
  },
  {
    name: "059-starts-of-agents",
    serversMustKnow: "054-several-servers",
    sql: `
      -- What the runs of a day are counted by, as runs_of_automation_by_first_claim. In a step of its own, because nobody writes
      -- while a large table is read.
      CREATE INDEX runs_of_agent_by_first_claim ON runs (agent_uid, first_claimed_at)
        WHERE agent_uid IS NOT NULL AND first_claimed_at IS NOT NULL;
    `,
  },
  {
    name: "060-signing-keys",
    serversMustKnow: "054-several-servers",
    sql: `
      -- Keys that sign the tokens with which runs prove who they are.
      CREATE TABLE signing_keys (
        -- The thumbprint of the public half.
        key_id TEXT PRIMARY KEY,
        generation INTEGER NOT NULL UNIQUE,
        -- A JSON Web Key.
        public_key TEXT NOT NULL,
        -- The private half, sealed with the master key.
        sealed BLOB NOT NULL,
        -- From when on it signs, until a later one does.
        signs_from TEXT NOT NULL,
        created_at TEXT NOT NULL
      );
    `,
  },
  {
    name: "061-run-network",
    serversMustKnow: "054-several-servers",
    sql: `
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
    `,
  },
  {
    name: "062-schedule-timezone",
    serversMustKnow: "054-several-servers",
    sql: `
      -- In which the cron expression of a schedule is meant: a name of the IANA database.
      ALTER TABLE schedules ADD COLUMN timezone TEXT NOT NULL DEFAULT 'UTC';
    `,
  },
  {
    name: "063-pull-request-events",
    serversMustKnow: "054-several-servers",
    sql: `
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
    `,
  },
  {
    name: "064-previous-secrets",
    serversMustKnow: "054-several-servers",
    sql: `
      -- The secret that a webhook had before, since when it is the previous one, and until when it is still accepted.
      ALTER TABLE webhook_credentials ADD COLUMN previous_sealed BLOB;
      ALTER TABLE webhook_credentials ADD COLUMN previous_since TEXT;
      ALTER TABLE webhook_credentials ADD COLUMN previous_until TEXT;
      -- When the credential was taken that it comes before: a server that does not know these columns leaves them as they are.
      ALTER TABLE webhook_credentials ADD COLUMN previous_of TEXT;

      -- Which of the two has proved a delivery: 'current' or 'previous'. Nothing in rows of an earlier version, and of refusals.
      ALTER TABLE deliveries ADD COLUMN proved_by TEXT;
      CREATE INDEX deliveries_proved_by_previous ON deliveries (webhook_uid, delivery_id) WHERE proved_by = 'previous';
    `,
  },
  {
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
  },
  {
    name: "066-outbound",
    serversMustKnow: "054-several-servers",
    sql: `
      -- What a receiver has answered last, and when somebody asked for a message to be sent again.
      ALTER TABLE notifications ADD COLUMN response TEXT;
      ALTER TABLE notifications ADD COLUMN requested_at TEXT;
      ALTER TABLE notifications ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE notifications ADD COLUMN tried_at TEXT;
      -- What a target was when it failed last, and when: what is learned of one receiver says nothing of the next one, and times
      -- that were reckoned from an instant which is still to come mean nothing.
      ALTER TABLE notification_targets ADD COLUMN fingerprint TEXT;
      ALTER TABLE notification_targets ADD COLUMN failed_at TEXT;
      ALTER TABLE notification_targets ADD COLUMN failed_by TEXT;

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
    `,
  },
  {
    name: "073-indexes",
    serversMustKnow: "054-several-servers",
    sql: `
      -- By these, runs, deliveries and factories are deleted without a look at every tag, attachment and task.
      CREATE INDEX run_tags_of_run ON run_tags (number);
      CREATE INDEX run_attachments_of_delivery ON run_attachments (delivery_id) WHERE delivery_id IS NOT NULL;
      CREATE INDEX tasks_of_factory ON tasks (factory_uid);
    `,
  },
  {
    name: "074-fallen-claims",
    serversMustKnow: "054-several-servers",
    sql: `
      -- Workers that claim turns and let them fall back, by the data folder of each: how often, and until when they get none.
      CREATE TABLE fallen_claims (
        home   TEXT PRIMARY KEY,
        count  INTEGER NOT NULL,
        until  TEXT NOT NULL
      );
      CREATE INDEX fallen_claims_until ON fallen_claims (until);
      -- Which request of a worker has claimed the turn of a run, so that another server can answer it again.
      ALTER TABLE runs ADD COLUMN claimed_for TEXT;
    `,
  },
  /**
   * Keys of one name and kind had one principal. The oldest of them keeps it, with all that was stored under it; each other key
   * gets one of its own.
   */
  {
    name: "076-principals-of-keys",
    serversMustKnow: "054-several-servers",
    sql: `
      INSERT INTO principals (uid, kind, display_name, created_at)
      SELECT id, CASE kind WHEN 'personal' THEN 'user' ELSE 'service_account' END, name || ' (' || id || ')', created_at
      FROM api_keys
      WHERE EXISTS (
        SELECT 1 FROM api_keys older
        WHERE older.principal_uid = api_keys.principal_uid
          AND (older.created_at < api_keys.created_at
            OR (older.created_at = api_keys.created_at AND older.id < api_keys.id)));
      UPDATE api_keys SET principal_uid = id WHERE id IN (SELECT uid FROM principals);
    `,
  },
  {
    name: "077-families-cost",
    serversMustKnow: "054-several-servers",
    sql: `
      -- The automation that has started the family of a run, whose money the run uses too.
      ALTER TABLE runs ADD COLUMN root_automation_uid TEXT;
      UPDATE runs SET root_automation_uid = (SELECT root.automation_uid FROM runs root WHERE root.run_id = runs.family_id)
      WHERE run_id IN (SELECT run_id FROM runs WHERE state IN ('QUEUED', 'CLAIMED', 'INPROGRESS', 'BLOCKED'))
        AND family_id IS NOT NULL;
      -- The root of the run that has used something, and what that belongs to. Rows from before have none: their runs tell.
      ALTER TABLE run_usage ADD COLUMN family_id TEXT;
      ALTER TABLE run_usage ADD COLUMN root_factory_uid TEXT;
      ALTER TABLE run_usage ADD COLUMN root_automation_uid TEXT;
      ALTER TABLE run_usage ADD COLUMN root_agent_uid TEXT;
      CREATE INDEX run_usage_of_family ON run_usage (family_id) WHERE family_id > '';
    `,
  },
];

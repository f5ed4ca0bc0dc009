import type { Migration } from "../sqlite/database.ts";
import { STEPS_FROM_050 } from "./steps-from-050.ts";

/**
 * Steps that stores of both databases can lack. New ones are added at the end, and what they change is changed in the schema of new
 * stores as well; released ones are never edited.
 */
export const STEPS: readonly Migration[] = [
  ...STEPS_FROM_050,
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
      -- The automation of its factory that has started the family of a run, whose money the run uses too.
      ALTER TABLE runs ADD COLUMN root_automation_uid TEXT;
      UPDATE runs SET root_automation_uid = (SELECT root.automation_uid FROM runs root
        WHERE root.run_id = runs.family_id AND root.factory_uid = runs.factory_uid)
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
  {
    name: "078-fair-queue",
    serversMustKnow: "054-several-servers",
    sql: `
      -- The instant by which a run has its turn among those of its factory; null where that is its creation.
      ALTER TABLE runs ADD COLUMN queue_at TEXT;
      -- Waiting runs by who has them next: all of one placement together, in it those of a factory, in them those of an automation. Its
      -- lanes are those of runs_waiting_in_lanes, whose placement comes last.
      CREATE INDEX runs_in_turn ON runs (
        (CASE WHEN state = 'QUEUED' THEN placement || ' ' || COALESCE(factory_uid, '') || '/' || COALESCE(automation_uid, '') || '/' ||
           COALESCE(webhook_uid, '') || CASE WHEN first_claimed_at IS NULL THEN '' ELSE '+' END END),
        (COALESCE(queue_at, created_at)), run_id)
      WHERE (CASE WHEN state = 'QUEUED' THEN placement || ' ' || COALESCE(factory_uid, '') || '/' || COALESCE(automation_uid, '') || '/' ||
               COALESCE(webhook_uid, '') || CASE WHEN first_claimed_at IS NULL THEN '' ELSE '+' END END) IS NOT NULL;
      -- Who has had turns: by who executes them, factories ('/') and the automations of a factory. The smallest start comes
      -- next, and its next start is where its last turn finished, or the largest start where that is later.
      CREATE TABLE claim_turns (
        executor   TEXT NOT NULL,
        parent     TEXT NOT NULL,
        owner      TEXT NOT NULL,
        start_tag  REAL NOT NULL,
        finish_tag REAL NOT NULL,
        taken_at   TEXT NOT NULL,
        PRIMARY KEY (executor, parent, owner)
      ) WITHOUT ROWID;
      CREATE INDEX claim_turns_by_age ON claim_turns (taken_at);
    `,
  },
  {
    name: "079-cached-setup",
    serversMustKnow: "054-several-servers",
    sql: `
      -- Whether the files that the setup commands of an environment make are stored; NULL: unless they see secrets.
      ALTER TABLE environments ADD COLUMN cache_setup INTEGER;
    `,
  },
  {
    name: "080-provider-holds",
    serversMustKnow: "054-several-servers",
    sql: `
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
      -- Of a run that waits for the end of a provider's limit: the hold. Its placement begins with '~' then.
      ALTER TABLE runs ADD COLUMN provider_hold TEXT;
      -- The model that the turn uses in place of the run's own, which a hold keeps it from.
      ALTER TABLE runs ADD COLUMN provider_model TEXT;
      -- How often a turn was cut short because the provider was not available, or refused more.
      ALTER TABLE runs ADD COLUMN provider_retries INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE runs ADD COLUMN provider_limited INTEGER NOT NULL DEFAULT 0;
      -- Those that were cut short least often ask first.
      CREATE INDEX runs_of_provider_hold ON runs (provider_hold, (provider_retries + provider_limited), run_id) WHERE provider_hold IS NOT NULL;
    `,
  },
  {
    name: "081-answers-with-a-shape",
    serversMustKnow: "054-several-servers",
    sql: `
      -- The last answer that fits the schema of the run, as JSON, the turn that it is of, and the turn in which a wrong answer is repaired.
      ALTER TABLE runs ADD COLUMN answer_json TEXT;
      ALTER TABLE runs ADD COLUMN answer_json_turn INTEGER;
      ALTER TABLE runs ADD COLUMN repair_turn INTEGER;
    `,
  },
];

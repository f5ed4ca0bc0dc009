import type { Migration } from "../sqlite/database.ts";

/** The first steps that stores of both databases can lack. They were released, so they are never edited. */
export const STEPS_FROM_050: readonly Migration[] = [
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
];

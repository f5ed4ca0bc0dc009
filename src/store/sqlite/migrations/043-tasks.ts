import type { Migration } from "../database.ts";

export const tasks: Migration = {
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
};

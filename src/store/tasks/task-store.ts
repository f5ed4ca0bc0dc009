import { isAnother } from "../../concurrency/record-tag.ts";
import type { Ticket } from "../../runs/rules/run-task.ts";
import type { Run } from "../../runs/run.ts";
import { CLOSED_STAGES, MAX_MOVES_OF_RUN } from "../../tasks/rules/stage.ts";
import type { Task, TaskStore } from "../../tasks/task.ts";
import { RUN_COLUMNS, type RunRow, toRun } from "../runs/run-row.ts";
import type { Database } from "../sqlite/database.ts";
import { cancelTask } from "./cancel-task.ts";
import { listTasks } from "./task-list.ts";
import { listTaskMessages } from "./task-messages.ts";
import { announceTask, insertTask, moveTask } from "./task-moves.ts";
import { searchTitle, TASK_COLUMNS, type TaskRow, toTask } from "./task-row.ts";
import { taskRuns } from "./task-runs.ts";

const CLOSED = CLOSED_STAGES.map((stage) => `'${stage}'`).join(", ");

export function taskStore(db: Database): TaskStore {
  const findWhere = async (where: string, value: string) => {
    const row = await db.first<TaskRow>(
      `SELECT ${TASK_COLUMNS} FROM tasks WHERE ${where} = $1 AND deleted_at IS NULL`,
      [value],
    );
    return row && toTask(row);
  };
  const find = (uid: string) => findWhere("uid", uid);
  const existing = async (uid: string) => {
    const task = await find(uid);
    if (!task) throw new Error("the task that was just written was not found");
    return task;
  };

  return {
    async create(task, by, at) {
      const row = await db.first<RunRow>(
        `SELECT ${RUN_COLUMNS} FROM runs WHERE run_id = $1 AND factory_uid = $2`,
        [task.conversationId, task.factoryUid],
      );
      if (!row) return "no run";
      if (row.task_uid !== null || (await findWhere("conversation_id", task.conversationId))) return "taken";
      const run = toRun(row);
      await insertTask(db, { ...task, author: run.creator, ticket: ticketOf(run) }, by, at);
      await join(db, run, task.uid);
      return existing(task.uid);
    },
    find,
    findByConversation: (conversationId) => findWhere("conversation_id", conversationId),
    list: (query) => listTasks(db, query),
    async update(uid, change, { expected, ...by }, at) {
      const before = await find(uid);
      if (!before) return undefined;
      if (isAnother(before, expected)) return "changed";
      const after = { ...before, ...change };
      const moves = after.stage !== before.stage;
      if (moves && by.runId !== null && (await countMoves(db, uid, by.runId)) >= MAX_MOVES_OF_RUN) {
        return "too many moves";
      }
      const isEdited = after.title !== before.title || after.description !== before.description;
      if (!moves && !isEdited) return before;
      if (isEdited) await edit(db, after, at);
      const { factoryUid } = before;
      if (moves) await moveTask(db, { uid, factoryUid, from: before.stage, to: after.stage }, by, at);
      else await announceTask(db, before, before.stage, at);
      return existing(uid);
    },
    findLastMove: (uid) =>
      db.first<{ from: string | null; to: string }>(
        `SELECT from_stage AS "from", to_stage AS "to" FROM task_events WHERE task_uid = $1 ORDER BY seq DESC LIMIT 1`,
        [uid],
      ),
    async remove(uid, expected, at) {
      const before = await find(uid);
      if (!before) return undefined;
      if (isAnother(before, expected)) return "changed";
      await db.run("UPDATE tasks SET deleted_at = $1, updated_at = $1 WHERE uid = $2", [at, uid]);
      await db.run("UPDATE runs SET task_uid = NULL WHERE task_uid = $1", [uid]);
      await announceTask(db, before, "deleted", at);
      return "removed";
    },
    async cancel(uid, by, at) {
      const before = await find(uid);
      if (!before) return undefined;
      const ended = await cancelTask(db, before, by, at);
      return { task: await existing(uid), ...ended };
    },
    ...taskRuns(db),
    listMessages: (uid, page) => listTaskMessages(db, uid, page),
    async forget(before, limit) {
      const rows = await db.all<{ uid: string }>(
        `SELECT uid FROM tasks
         WHERE (deleted_at IS NOT NULL OR stage IN (${CLOSED})) AND updated_at < $1
           AND NOT EXISTS (SELECT 1 FROM runs WHERE task_uid = tasks.uid)
         ORDER BY updated_at LIMIT $2`,
        [before, limit],
      );
      for (const { uid } of rows) await forgetTask(db, uid);
      return rows.length;
    },
  };
}

/** A run, and those of its factory that descend from it, as far as they belong to no task. */
async function join(db: Database, { id, ancestors, factoryUid }: Run, uid: string): Promise<void> {
  await db.run("UPDATE runs SET task_uid = $1 WHERE run_id = $2", [uid, id]);
  await db.run(
    `UPDATE runs SET task_uid = $1
     WHERE family_id = $2 AND factory_uid = $3 AND task_uid IS NULL AND ancestors LIKE '%"' || $4 || '"%'`,
    [uid, ancestors[0] ?? id, factoryUid, id],
  );
}

async function countMoves(db: Database, uid: string, runId: string): Promise<number> {
  const row = await db.first<{ moves: number }>(
    "SELECT COUNT(*) AS moves FROM task_events WHERE task_uid = $1 AND run_id = $2",
    [uid, runId],
  );
  return row?.moves ?? 0;
}

function edit(db: Database, { uid, title, description }: Task, at: string): Promise<number> {
  return db.run(
    "UPDATE tasks SET title = $1, search_title = $2, description = $3, updated_at = $4 WHERE uid = $5",
    [title, searchTitle(title), description, at, uid],
  );
}

async function forgetTask(db: Database, uid: string): Promise<void> {
  await db.run("DELETE FROM task_events WHERE task_uid = $1", [uid]);
  await db.run("DELETE FROM tasks WHERE uid = $1", [uid]);
}

/** The ticket that a run was dispatched for. */
function ticketOf({ metadata }: Run): Ticket | null {
  const { ticket_id: id, ticket_source: source, ticket_url: url } = metadata;
  return id === undefined || source === undefined ? null : { id, source, url: url ?? null };
}

import type { Principal } from "../../principals/principal.ts";
import { FIRST_STAGE, type NewRunTask, type Ticket } from "../../runs/rules/run-task.ts";
import type { Stage } from "../../runs/rules/stage.ts";
import type { Task } from "../../runs/tasks/task.ts";
import { recordChange } from "../changes/change-store.ts";
import type { Database } from "../sqlite/database.ts";

/** A task as it is written. */
export interface InsertedTask {
  uid: string;
  factoryUid: string;
  conversationId: string;
  title: string;
  description: string | null;
  stage: Stage;
  author: Principal;
  ticket: Ticket | null;
}

/** Who has moved a task: a person or an agent, and the run of the latter. */
export interface Mover {
  principal: Principal | null;
  runId: string | null;
}

/** Writes a task with its first event. */
export async function insertTask(db: Database, task: InsertedTask, by: Mover, at: string): Promise<void> {
  const { author, ticket } = task;
  await db.run(
    `INSERT INTO tasks (uid, factory_uid, conversation_id, title, search_title, description, stage, stage_at, author,
       author_uid, author_name, ticket_id, ticket_source, ticket_url, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $8, $8)`,
    [
      task.uid,
      task.factoryUid,
      task.conversationId,
      task.title,
      searchTitle(task.title),
      task.description,
      task.stage,
      at,
      JSON.stringify(author),
      author.uid,
      author.displayName,
      ticket?.id ?? null,
      ticket?.source ?? null,
      ticket?.url ?? null,
    ],
  );
  await recordMove(db, { ...task, from: null, to: task.stage }, by, at);
}

/** Writes the task that is made together with its first run. */
export async function insertTaskOfRun(
  db: Database,
  { uid, title, ticket }: NewRunTask,
  run: { id: string; factoryUid: string; creator: Principal },
  at: string,
): Promise<void> {
  const task = { uid, title, ticket, description: null, stage: FIRST_STAGE, author: run.creator } as const;
  const by = { principal: run.creator, runId: null };
  await insertTask(db, { ...task, factoryUid: run.factoryUid, conversationId: run.id }, by, at);
}

/** Moves a task to another stage. */
export async function moveTask(
  db: Database,
  task: { uid: string; factoryUid: string; from: Stage; to: Stage },
  by: Mover,
  at: string,
): Promise<void> {
  await db.run("UPDATE tasks SET stage = $1, stage_at = $2, updated_at = $2 WHERE uid = $3", [
    task.to,
    at,
    task.uid,
  ]);
  await recordMove(db, task, by, at);
}

/** The end of the run whose conversation a task is cancels the task, too. */
export async function cancelTaskOfRun(
  db: Database,
  run: { run_id: string; task_uid: string },
  at: string,
): Promise<void> {
  const task = await db.first<TaskRow>(
    `SELECT ${TASK_COLUMNS} FROM tasks
     WHERE uid = $1 AND conversation_id = $2 AND stage NOT IN ('COMPLETE', 'CANCELLED')`,
    [run.task_uid, run.run_id],
  );
  if (!task) return;
  const { uid, factory_uid: factoryUid, stage: from } = task;
  await moveTask(db, { uid, factoryUid, from, to: "CANCELLED" }, { principal: null, runId: run.run_id }, at);
}

/** Tells streams that a task has changed. */
export function announceTask(
  db: Database,
  { uid, factoryUid }: { uid: string; factoryUid: string },
  status: Stage | "deleted",
  at: string,
): Promise<void> {
  return recordChange(db, { kind: "task", subject: uid, factoryUid, webhookUid: null, status, at });
}

async function recordMove(
  db: Database,
  task: { uid: string; factoryUid: string; from: Stage | null; to: Stage },
  { principal, runId }: Mover,
  at: string,
): Promise<void> {
  await db.run(
    `INSERT INTO task_events (task_uid, from_stage, to_stage, moved_by, run_id, at) VALUES ($1, $2, $3, $4, $5, $6)`,
    [task.uid, task.from, task.to, principal && JSON.stringify(principal), runId, at],
  );
  await announceTask(db, task, task.to, at);
}

/** A task as the database names it. */
export interface TaskRow {
  uid: string;
  factory_uid: string;
  conversation_id: string;
  title: string;
  description: string | null;
  stage: Stage;
  stage_at: string;
  author: string;
  ticket_id: string | null;
  ticket_source: string | null;
  ticket_url: string | null;
  created_at: string;
  updated_at: string;
}

export const TASK_COLUMNS = `
  uid, factory_uid, conversation_id, title, description, stage, stage_at, author, ticket_id, ticket_source, ticket_url,
  created_at, updated_at`;

export function toTask(row: TaskRow): Task {
  const { ticket_id: id, ticket_source: source } = row;
  return {
    uid: row.uid,
    factoryUid: row.factory_uid,
    conversationId: row.conversation_id,
    title: row.title,
    description: row.description,
    stage: row.stage,
    stageAt: row.stage_at,
    author: JSON.parse(row.author),
    ticket: id === null || source === null ? null : { id, source, url: row.ticket_url },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The form of a title in which it is searched: for letters of any case, also those that SQLite knows nothing of. */
export const searchTitle = (title: string) => title.toLowerCase();

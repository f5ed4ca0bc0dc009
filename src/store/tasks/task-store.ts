import { isAnother } from "../../concurrency/record-tag.ts";
import type { EndedMember } from "../../runs/rules/family.ts";
import type { Ticket } from "../../runs/rules/run-task.ts";
import { CLOSED_STAGES, MAX_MOVES_OF_RUN } from "../../runs/rules/stage.ts";
import type { Run } from "../../runs/run.ts";
import type {
  CancelledTask,
  CurrentRun,
  Task,
  TaskEditor,
  TaskMessages,
  TaskPage,
  TaskQuery,
  TaskStore,
} from "../../runs/tasks/task.ts";
import { ARTIFACT_COLUMNS, type ArtifactRow, toArtifact } from "../runs/run-artifacts.ts";
import { ENDING_COLUMNS, type EndingRow, endRun, runCancellations } from "../runs/run-cancellations.ts";
import {
  MAX_PAGE,
  type MessageRow,
  messagesOf,
  pageOfMessages,
  toMessage,
} from "../runs/run-conversation.ts";
import { RUN_COLUMNS, type RunRow, toRun, toRuns } from "../runs/run-row.ts";
import { ENDED } from "../runs/state-lists.ts";
import {
  announceTask,
  insertTask,
  moveTask,
  searchTitle,
  TASK_COLUMNS,
  type TaskRow,
  toTask,
} from "../runs/task-moves.ts";
import { type Database, placeholders, type SqlValue } from "../sqlite/database.ts";

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

/** The tasks of a factory that fit a filter, sorted by an instant and then by uid. */
async function listTasks(db: Database, query: TaskQuery): Promise<TaskPage> {
  const { sort, descending, after, limit } = query;
  const { where, values } = conditionsOf(query);
  const direction = descending ? "DESC" : "ASC";
  if (after) {
    where.push(`(${sort}, uid) ${descending ? "<" : ">"} ($${values.length + 1}, $${values.length + 2})`);
    values.push(after.at, after.uid);
  }
  const rows = await db.all<TaskRow>(
    `SELECT ${TASK_COLUMNS} FROM tasks WHERE ${where.join(" AND ")}
     ORDER BY ${sort} ${direction}, uid ${direction} LIMIT $${values.length + 1}`,
    [...values, limit + 1],
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    tasks: page.map(toTask),
    ...(last && rows.length > limit ? { next: { at: last[sort], uid: last.uid } } : {}),
  };
}

function conditionsOf({ filter }: TaskQuery) {
  const values: SqlValue[] = [];
  const given = (value: SqlValue) => `$${values.push(value)}`;
  const oneOf = (texts: readonly string[]) => texts.map(given).join(", ");
  const where = [`factory_uid = ${given(filter.factoryUid)}`, "deleted_at IS NULL"];
  if (filter.stages) where.push(`stage IN (${oneOf(filter.stages)})`);
  if (filter.authors) {
    where.push(`(author_uid IN (${oneOf(filter.authors)}) OR author_name IN (${oneOf(filter.authors)}))`);
  }
  if (filter.text !== undefined) where.push(`search_title LIKE ${given(partOf(filter.text))} ESCAPE '\\'`);
  if (filter.createdAfter !== undefined) where.push(`created_at >= ${given(filter.createdAfter)}`);
  if (filter.createdBefore !== undefined) where.push(`created_at < ${given(filter.createdBefore)}`);
  if (filter.updatedAfter !== undefined) where.push(`updated_at >= ${given(filter.updatedAfter)}`);
  return { where, values };
}

/** A pattern that finds a text as it is, wherever it stands. */
function partOf(text: string): string {
  return `%${searchTitle(text).replaceAll(/[\\%_]/g, "\\$&")}%`;
}

interface TaskMessageRow extends Omit<MessageRow, "kind"> {
  run_id: string;
  kind: MessageRow["kind"] | "prompt";
  total: number;
}

/** The prompt of a run goes by the id of the run, which is below those of its other messages. */
const MESSAGES = `
  SELECT run_id, run_id AS id, 'prompt' AS kind, 1 AS turn, created_at AS at, creator, NULL AS from_run,
    prompt AS text, NULL AS details, NULL AS given_at, 0 AS is_repeated
  FROM runs WHERE task_uid = $1 AND run_id > $2
  UNION ALL ${messagesOf("IN (SELECT run_id FROM runs WHERE task_uid = $1)")}`;

/** What was said in the runs of a task, with the runs. The texts of a page are bounded as those of one run's page are. */
async function listTaskMessages(
  db: Database,
  uid: string,
  { after, limit }: { after?: string; limit: number },
): Promise<TaskMessages> {
  const rows = await db.all<TaskMessageRow>(pageOfMessages(MESSAGES), [uid, after ?? "", limit, MAX_PAGE]);
  const ids = [...new Set(rows.map(({ run_id }) => run_id))];
  const runs = await db.all<RunRow>(
    `SELECT ${RUN_COLUMNS} FROM runs WHERE run_id IN (${placeholders(ids.length)})`,
    ids,
  );
  const runOf = new Map(runs.map((row) => [row.run_id, toRun(row)]));
  const messages = rows.flatMap(({ kind, ...row }) => {
    const run = runOf.get(row.run_id);
    if (!run) return [];
    return [{ run, message: kind === "prompt" ? null : toMessage({ ...row, kind }) }];
  });
  return { messages, isCut: rows.length > 1 && (rows.at(-1)?.total ?? 0) > MAX_PAGE };
}

interface CurrentRow {
  task_uid: string;
  run_id: string;
  state: CurrentRun["state"];
  executor: string;
}

const CURRENT = "task_uid, run_id, state, COALESCE(executor, creator) AS executor";

/** What the runs of tasks do, and have made. */
function taskRuns(db: Database): Pick<TaskStore, "listRuns" | "listCurrentRuns" | "listOutputs"> {
  return {
    async listRuns(uid, { after, limit }) {
      const rows = await db.all<RunRow>(
        `SELECT ${RUN_COLUMNS} FROM runs WHERE task_uid = $1 AND run_id > $2 ORDER BY run_id LIMIT $3`,
        [uid, after ?? "", limit],
      );
      return toRuns(rows);
    },
    async listCurrentRuns(uids) {
      if (uids.length === 0) return { current: [], blocked: [] };
      const listed = placeholders(uids.length);
      const newest = (where: string) =>
        db.all<CurrentRow>(
          `SELECT ${CURRENT} FROM runs WHERE run_id IN (
             SELECT MAX(run_id) FROM runs WHERE task_uid IN (${listed}) ${where} GROUP BY task_uid)`,
          uids,
        );
      const [last, open, blocked] = [
        await newest(""),
        await newest(`AND state NOT IN (${ENDED})`),
        await newest("AND state = 'BLOCKED'"),
      ];
      const byTask = new Map([...last, ...open].map((row) => [row.task_uid, row]));
      return { current: [...byTask.values()].map(toCurrent), blocked: blocked.map(toCurrent) };
    },
    async listOutputs(uid, limit) {
      const rows = await db.all<ArtifactRow>(
        `SELECT ${ARTIFACT_COLUMNS} FROM run_artifacts WHERE run_id IN (SELECT run_id FROM runs WHERE task_uid = $1)
         ORDER BY artifact_uid DESC LIMIT $2`,
        [uid, limit],
      );
      return rows.map(toArtifact);
    },
  };
}

function toCurrent({ task_uid, run_id, state, executor }: CurrentRow): CurrentRun {
  return { taskUid: task_uid, runId: run_id, state, agent: JSON.parse(executor).displayName };
}

/** How many runs of a task one transaction ends: others wait for it. */
const BATCH = 200;

/**
 * Moves a task to CANCELLED, and ends its runs that have not ended: at once those that wait, for a worker or for an answer;
 * the others when their agents are gone. Asked again, it goes on with those that are left.
 */
async function cancelTask(
  db: Database,
  task: Task,
  by: TaskEditor["principal"],
  at: string,
): Promise<Pick<CancelledTask, "runs" | "hasMore">> {
  const { uid, factoryUid, stage: from } = task;
  // Before its runs, whose end would move it as well.
  if (from !== "CANCELLED") {
    await moveTask(db, { uid, factoryUid, from, to: "CANCELLED" }, { principal: by, runId: null }, at);
  }
  const ending = runCancellations(db);
  const rows = await db.all<EndingRow>(
    `SELECT ${ENDING_COLUMNS} FROM runs WHERE task_uid = $1 AND state NOT IN (${ENDED}) AND cancel_requested_at IS NULL
     ORDER BY run_id LIMIT $2`,
    [uid, BATCH],
  );
  const dismissal = { by, reason: "The task was cancelled." };
  const runs: EndedMember[] = [];
  for (const row of rows) runs.push(await endRun(ending, row, dismissal, at));
  return { runs, hasMore: rows.length === BATCH };
}

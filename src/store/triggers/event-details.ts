import type { EventDetails, EventTask, FactoryEvent } from "../../triggers/factory-event.ts";
import { runArtifacts } from "../runs/run-artifacts.ts";
import { RUN_COLUMNS, type RunRow, toRun } from "../runs/run-row.ts";
import type { Database } from "../sqlite/database.ts";

/** What is known of the run and of the task that an event is about. */
export async function findDetails(db: Database, event: FactoryEvent): Promise<EventDetails | undefined> {
  const ofRun = event.run ? await runDetails(db, event.run) : undefined;
  if (event.run && !ofRun) return undefined;
  const taskUid = event.move?.taskUid ?? ofRun?.run?.taskUid;
  const task = taskUid == null ? undefined : await findTask(db, taskUid);
  if (event.move && !task) return undefined;
  return { ...(ofRun ?? { run: null, answer: null, artifacts: [] }), task: task ?? null };
}

async function runDetails(
  db: Database,
  { id, turn }: NonNullable<FactoryEvent["run"]>,
): Promise<Omit<EventDetails, "task"> | undefined> {
  const row = await db.first<RunRow>(`SELECT ${RUN_COLUMNS} FROM runs WHERE run_id = $1`, [id]);
  if (!row) return undefined;
  const said = await db.first<{ text: string }>(
    `SELECT text FROM run_messages WHERE run_id = $1 AND turn = $2 AND kind = 'answer'
     ORDER BY message_id DESC LIMIT 1`,
    [id, turn],
  );
  const artifacts = await runArtifacts(db).listArtifacts([id]);
  return { run: toRun(row), answer: said?.text ?? null, artifacts: artifacts[id] ?? [] };
}

async function findTask(db: Database, uid: string): Promise<EventTask | undefined> {
  const row = await db.first<
    Omit<EventTask, "ticket"> & { ticketId: string | null; source: string | null; url: string | null }
  >(
    `SELECT uid, title, description, stage, ticket_id AS "ticketId", ticket_source AS source, ticket_url AS url
     FROM tasks WHERE uid = $1 AND deleted_at IS NULL`,
    [uid],
  );
  if (!row) return undefined;
  const { ticketId: id, source, url, ...task } = row;
  return { ...task, ticket: id === null || source === null ? null : { source, id, url } };
}

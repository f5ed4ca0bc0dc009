import { MOVES } from "../../runs/rules/state.ts";
import type { NewRun } from "../../runs/run.ts";
import { allDone } from "../all-done.ts";
import { insertRow } from "../new-row.ts";
import type { Database } from "../sqlite/database.ts";
import { moveRuns } from "./run-moves.ts";
import { type RunHold, runRows, type StartingDelivery } from "./run-row.ts";
import { insertTaskOfRun } from "./task-moves.ts";

export type { RunHold };

/**
 * Writes a run with its attachments. The delivery that starts it calls this inside its own transaction. A run of a factory
 * that was deleted since it was prepared is cancelled at once, as those are that waited when it was deleted.
 */
export async function insertRun(
  db: Database,
  run: NewRun,
  delivery: StartingDelivery | null,
  at: string,
  hold: RunHold | null = null,
): Promise<void> {
  const isOrphan = run.factoryUid !== null && !(await isThere(db, run.factoryUid));
  const taskUid = isOrphan ? null : (run.task?.uid ?? (await inheritedTask(db, run)));
  const rootAutomationUid = await rootAutomationOf(db, run);
  await allDone([
    ...runRows(run, { delivery, taskUid, at, hold, rootAutomationUid }).map((row) => insertRow(db, row)),
    ...(run.task && run.factoryUid !== null && !isOrphan
      ? [insertTaskOfRun(db, run.task, { ...run, factoryUid: run.factoryUid }, at)]
      : []),
    ...(run.rerun ? [copyAttachments(db, run.rerun.of, run.id)] : []),
  ]);
  if (isOrphan) await cancel(db, run.id, at);
}

/** The automation that has started the family of a run, if it is of the factory of the run; nothing for a root. */
async function rootAutomationOf(
  db: Database,
  { ancestors, factoryUid }: Pick<NewRun, "ancestors" | "factoryUid">,
): Promise<string | null> {
  const [rootId] = ancestors;
  const parentId = ancestors.at(-1);
  if (rootId === undefined || parentId === undefined) return null;
  const row = await db.first<{ uid: string | null }>(
    `SELECT COALESCE((SELECT automation_uid FROM runs WHERE run_id = $1 AND factory_uid = $3), root_automation_uid) AS uid
     FROM runs WHERE run_id = $2 AND factory_uid = $3`,
    [rootId, parentId, factoryUid],
  );
  return row?.uid ?? null;
}

/** The task of the run that a run of the same factory was started from, or that it repeats. */
async function inheritedTask(
  db: Database,
  { ancestors, rerun, factoryUid }: Pick<NewRun, "ancestors" | "rerun" | "factoryUid">,
): Promise<string | null> {
  const from = ancestors.at(-1) ?? rerun?.of;
  if (from === undefined || factoryUid === null) return null;
  const row = await db.first<{ task_uid: string | null }>(
    "SELECT task_uid FROM runs WHERE run_id = $1 AND factory_uid = $2",
    [from, factoryUid],
  );
  return row?.task_uid ?? null;
}

/** A delivery that a run was given is given once more as long as it is stored; it is not copied. */
async function copyAttachments(db: Database, from: string, to: string): Promise<void> {
  await db.run(
    `INSERT INTO run_deliveries (run_id, position, delivery_id, automation_uid, kind, key, lacks_key, at, total_size)
     SELECT $1, position, delivery_id, automation_uid, 'repeated', key, lacks_key, at, total_size
     FROM run_deliveries WHERE run_id = $2`,
    [to, from],
  );
  await db.run(
    `INSERT INTO run_attachments (run_id, name, mime_type, size, content, delivery_id)
     SELECT $1, name, mime_type, size, content, delivery_id FROM run_attachments WHERE run_id = $2`,
    [to, from],
  );
}

async function isThere(db: Database, factoryUid: string): Promise<boolean> {
  return (await db.first("SELECT uid FROM factories WHERE uid = $1", [factoryUid])) !== undefined;
}

async function cancel(db: Database, runId: string, at: string): Promise<void> {
  const set = "cancel_requested_at = $1, finished_at = $1";
  await moveRuns(db, MOVES.cancel, { set, where: "run_id = $2", values: [runId] }, at);
}

import { MOVES } from "../../runs/rules/state.ts";
import type { NewRun } from "../../runs/run.ts";
import type { Database } from "../sqlite/database.ts";
import { insertTaskOfRun } from "../tasks/task-moves.ts";
import { recordCreation } from "./run-events.ts";
import { moveRuns } from "./run-moves.ts";

/**
 * Writes a run with its attachments. The delivery that starts it calls this inside its own transaction. A run of a factory
 * that was deleted since it was prepared is cancelled at once, as those are that waited when it was deleted.
 */
export async function insertRun(
  db: Database,
  run: NewRun,
  delivery: { id: string; size: number } | null,
  at: string,
): Promise<void> {
  const isOrphan = run.factoryUid !== null && !(await isThere(db, run.factoryUid));
  const taskUid = isOrphan ? null : (run.task?.uid ?? (await inheritedTask(db, run)));
  await db.run(
    `INSERT INTO runs (
       run_id, factory_uid, automation_uid, agent_uid, delivery_id, webhook_uid, title, prompt, source, creator,
       creator_uid, executor, ancestors, schedule_id, config, config_name, model_id, execution, metadata, state,
       created_at, updated_at, schedule, rerun_of, away_ms, family_id, task_uid,
       placement)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, 'QUEUED', $20, $20, $21, $22, 0, $23, $24,
       $25)`,
    [
      run.id,
      run.factoryUid,
      run.automationUid,
      run.agentUid,
      delivery?.id ?? run.rerun?.deliveryId ?? null,
      run.webhookUid,
      run.title,
      run.prompt,
      run.source,
      JSON.stringify(run.creator),
      run.creator.uid,
      run.executor.uid === run.creator.uid ? null : JSON.stringify(run.executor),
      JSON.stringify(run.ancestors),
      run.scheduleId,
      JSON.stringify(run.config),
      run.config.name ?? null,
      run.config.model_id ?? null,
      JSON.stringify(run.execution),
      JSON.stringify(run.metadata),
      at,
      run.schedule ? JSON.stringify(run.schedule) : null,
      run.rerun?.of ?? null,
      run.ancestors[0] ?? null,
      taskUid,
      run.placement,
    ],
  );
  for (const attachment of run.attachments) {
    const content = "content" in attachment ? attachment.content : null;
    await db.run(
      `INSERT INTO run_attachments (run_id, name, mime_type, size, content, delivery_id)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [
        run.id,
        attachment.name,
        attachment.mimeType,
        content?.length ?? delivery?.size ?? 0,
        content,
        content ? null : (delivery?.id ?? null),
      ],
    );
  }
  if (run.task && run.factoryUid !== null && !isOrphan) {
    await insertTaskOfRun(db, run.task, { ...run, factoryUid: run.factoryUid }, at);
  }
  if (run.rerun) await copyAttachments(db, run.rerun.of, run.id);
  const created = { run_id: run.id, factory_uid: run.factoryUid, task_uid: taskUid };
  await recordCreation(db, { ...created, state: "QUEUED", turn: 1 }, at);
  if (isOrphan) await cancel(db, run.id, at);
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
function copyAttachments(db: Database, from: string, to: string): Promise<number> {
  return db.run(
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

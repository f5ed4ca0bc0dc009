import { announce, CHANGED_COLUMNS, type ChangedRun } from "../runs/run-events.ts";
import type { StartingDelivery } from "../runs/run-rows.ts";
import type { Database } from "../sqlite/database.ts";
import type { KeyedRun, NewestRun } from "./place-keyed-run.ts";

/**
 * Makes a run that waits the run of the newest delivery: its title, its prompt, and where in a repository it happened. It stays the
 * run, the place in the queue and the task that it is.
 */
export async function joinRun(
  db: Database,
  run: KeyedRun,
  { run_id, task_uid }: NewestRun,
  delivery: StartingDelivery,
  at: string,
): Promise<void> {
  // The delivery would have made a task of its own.
  const prompt = run.task && task_uid !== null ? run.prompt.replaceAll(run.task.uid, task_uid) : run.prompt;
  const [joined] = await db.all<ChangedRun>(
    `UPDATE runs SET title = $1, prompt = $2, execution = $3, config = $4, config_name = $5, model_id = $6, delivery_id = $7,
       webhook_uid = $8, updated_at = $9
     WHERE run_id = $10 RETURNING ${CHANGED_COLUMNS}`,
    [
      run.title,
      prompt,
      JSON.stringify(run.execution),
      JSON.stringify(run.config),
      run.config.name ?? null,
      run.config.model_id ?? null,
      delivery.id,
      run.webhookUid,
      at,
      run_id,
    ],
  );
  if (joined) await announce(db, joined, at);
}

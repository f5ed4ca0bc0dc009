import type { EndedMember } from "../../runs/rules/family.ts";
import type { CancelledTask, Task, TaskEditor } from "../../tasks/task.ts";
import { ENDING_COLUMNS, type EndingRow, endRun, runCancellations } from "../runs/run-cancellations.ts";
import { ENDED } from "../runs/state-lists.ts";
import type { Database } from "../sqlite/database.ts";
import { moveTask } from "./task-moves.ts";

/** How many runs of a task one transaction ends: others wait for it. */
const BATCH = 200;

/**
 * Moves a task to CANCELLED, and ends its runs that have not ended: at once those that wait, for a worker or for an answer;
 * the others when their agents are gone. Asked again, it goes on with those that are left.
 */
export async function cancelTask(
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

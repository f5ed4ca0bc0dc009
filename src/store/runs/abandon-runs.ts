import { MOVES } from "../../runs/rules/state.ts";
import type { RunStatusMessage } from "../../runs/run.ts";
import type { Database } from "../sqlite/database.ts";
import { moveRuns } from "./run-moves.ts";
import { dropWaits } from "./stored-waits.ts";
import { tellWaiting } from "./wait-ends.ts";

/**
 * Ends the runs that waited when a backup was made: after it they may have begun, and what began once must not begin
 * again. Runs whose agents were alive then are taken for lost at the next start, like after a crash.
 * @returns how many
 */
export async function abandonRuns(db: Database, message: string, at: string): Promise<number> {
  const status: RunStatusMessage = { message, error_code: "infrastructure_timeout", retryable: true };
  const moved = await moveRuns(
    db,
    MOVES.doubt,
    {
      set: "status_message = $2, finished_at = $1, worker = NULL, lease_expires_at = NULL, token_hash = NULL",
      // One that waits for other runs has no worker either, and its next turn may have begun since.
      where: "(state <> 'INPROGRESS' OR lease_expires_at IS NULL)",
      values: [JSON.stringify(status)],
    },
    at,
  );
  for (const { run_id } of moved) await dropWaits(db, run_id);
  for (const { run_id } of moved) await tellWaiting(db, run_id, at);
  return moved.length;
}

import { MOVES } from "../../runs/rules/state.ts";
import { holdForKey } from "../run-keys/key-holds.ts";
import type { Database } from "../sqlite/database.ts";
import { moveRuns } from "./run-moves.ts";

/** Lets a run that no worker has wait for its next turn, which gets every message that waits. */
export async function openNextTurn(db: Database, runId: string, at: string): Promise<void> {
  // Whoever cancelled a run has withdrawn what it was not given.
  await db.run(
    `UPDATE run_followups SET turn = NULL WHERE run_id = $1 AND given_at IS NULL
       AND turn = (SELECT turn FROM runs WHERE run_id = $1 AND lease_expires_at IS NULL AND state <> 'CANCELLED')`,
    [runId],
  );
  await moveRuns(
    db,
    MOVES.continue,
    {
      set: `turn = turn + 1, turn_asked_at = $1, turn_started_at = NULL, finished_at = NULL, exit_code = NULL, status_message = NULL,
            cancel_requested_at = NULL, dismissal = NULL, waiting_for = NULL, status_line = NULL`,
      where: "run_id = $2 AND lease_expires_at IS NULL",
      values: [runId],
    },
    at,
  );
  await db.run(
    `UPDATE run_followups SET turn = (SELECT turn FROM runs WHERE run_id = $1)
     WHERE run_id = $1 AND turn IS NULL`,
    [runId],
  );
  await holdForKey(db, runId, at);
}

import { newUuidAfter } from "../../id.ts";
import { MILLRACE } from "../../runs/rules/conversation.ts";
import type { Database } from "../sqlite/database.ts";

/** Adds a message of millrace itself to what a run reads in its next turn. It comes after every message that the run has. */
export async function addOwnMessage(db: Database, runId: string, text: string, at: string): Promise<void> {
  await db.run(
    `INSERT INTO run_followups (followup_id, run_id, message, outcome, creator, created_at, turn, is_answer)
     VALUES ($1, $2, $3, 'handoff_execution', $4, $5, NULL, 0)`,
    [await newMessageId(db, runId), runId, text, JSON.stringify(MILLRACE), at],
  );
}

/**
 * The id of a message that comes after every one that a run has: the id of one that was made by another thread in the same
 * millisecond, or before the clock was set back, may be greater than the next id of this thread.
 */
export async function newMessageId(db: Database, runId: string): Promise<string> {
  const last = await db.first<{ id: string | null }>(
    "SELECT MAX(followup_id) AS id FROM run_followups WHERE run_id = $1",
    [runId],
  );
  return newUuidAfter(last?.id);
}

import { newUuidAfter } from "../../id.ts";
import { MILLRACE } from "../../runs/rules/conversation.ts";
import type { Database } from "../sqlite/database.ts";

/**
 * Adds a message of millrace itself to what a run reads in its next turn. It comes after every message that the run has:
 * the id of one that was made by another thread in the same millisecond may be greater than the next id of this one.
 */
export async function addOwnMessage(db: Database, runId: string, text: string, at: string): Promise<void> {
  const last = await db.first<{ id: string | null }>(
    "SELECT MAX(followup_id) AS id FROM run_followups WHERE run_id = $1",
    [runId],
  );
  await db.run(
    `INSERT INTO run_followups (followup_id, run_id, message, outcome, creator, created_at, turn, is_answer)
     VALUES ($1, $2, $3, 'handoff_execution', $4, $5, NULL, 0)`,
    [newUuidAfter(last?.id), runId, text, JSON.stringify(MILLRACE), at],
  );
}

import type { Database } from "../sqlite/database.ts";
import { insertRunEvent } from "./run-events.ts";

/** A run whose turn has ended. */
interface EndedTurn {
  run_id: string;
  turn: number;
}

/** Whoever cancels a run cancels what was said to it as well: it stays with the turn that was cancelled. */
export async function dropWaiting(db: Database, { run_id, turn }: EndedTurn): Promise<void> {
  await db.run("UPDATE run_followups SET turn = $1 WHERE run_id = $2 AND turn IS NULL", [turn, run_id]);
}

/**
 * What a session was to be given and was not, because it ended, waits for the next turn with the rest; so does what it may
 * not have read.
 */
export async function keepUngiven(db: Database, { run_id, turn }: EndedTurn, at: string): Promise<void> {
  const unread = await db.all<{ followup_id: string }>(
    `SELECT followup_id FROM run_followups WHERE run_id = $1 AND turn = $2 AND is_unconfirmed = 1 ORDER BY followup_id`,
    [run_id, turn],
  );
  await db.run(
    `UPDATE run_followups SET turn = NULL, given_at = NULL, is_unconfirmed = 0,
       is_repeated = CASE WHEN is_unconfirmed = 1 THEN 1 ELSE is_repeated END
     WHERE run_id = $1 AND turn = $2 AND (given_at IS NULL OR is_unconfirmed = 1)`,
    [run_id, turn],
  );
  if (unread.length > 0) {
    const message_ids = unread.map(({ followup_id }) => followup_id);
    await insertRunEvent(db, run_id, "messages_unconfirmed", at, { turn, message_ids });
  }
}

/**
 * No agent had what was said to a turn whose program did not start. It stays with that turn until someone says more: a
 * turn that it opened by itself would fail in the same way, again and again.
 */
export async function takeBack(db: Database, { run_id, turn }: EndedTurn): Promise<void> {
  await db.run("UPDATE run_followups SET given_at = NULL WHERE run_id = $1 AND turn = $2", [run_id, turn]);
}

import type { RunState } from "../../runs/rules/state.ts";
import { type WaitEnd, waitMessage } from "../../runs/rules/wait-message.ts";
import type { Database } from "../sqlite/database.ts";
import { openNextTurn } from "./next-turn.ts";
import { addOwnMessage } from "./own-message.ts";
import {
  closeTarget,
  dropWaits,
  findStoredWaits,
  readWaited,
  recordGiven,
  type StoredWaits,
  showWaits,
  stateOfAll,
} from "./stored-waits.ts";

/**
 * Ends the waits for a run that has ended, in the transaction of its end. Call it for every run with ancestors that has
 * moved to a state in which nothing is left to do, and does not begin another turn at once. A run is waited for by its
 * ancestors only, so that the end of any other run costs nothing.
 */
export async function tellWaiting(db: Database, endedId: string, at: string): Promise<void> {
  const waiting = await db.all<{ run_id: string }>(
    "SELECT run_id FROM run_wait_targets WHERE target_id = $1 AND is_open = 1 ORDER BY run_id",
    [endedId],
  );
  for (const { run_id } of waiting) {
    await closeTarget(db, run_id, endedId);
    await showWaits(db, run_id, at);
    await resume(db, run_id, at);
  }
}

/** Begins the next turn of a run that rests, with the results as a message, if its waits are over. */
export async function resume(db: Database, runId: string, at: string): Promise<void> {
  const waits = await findStoredWaits(db, runId);
  const state = waits && stateOfAll(waits, at);
  if (!waits || state === undefined || state === "waiting" || !(await rests(db, runId))) return;
  await say(db, waits, state, at);
  await openNextTurn(db, runId, at);
}

/** Ends the waits of a run because a message begins its next turn. */
export async function interruptWaits(
  db: Database,
  runId: string,
  end: "message" | "answer",
  at: string,
): Promise<void> {
  const waits = await findStoredWaits(db, runId);
  if (waits) await say(db, waits, stateOfAll(waits, at) === "done" ? "done" : end, at);
}

async function rests(db: Database, runId: string): Promise<boolean> {
  const run = await db.first<{ state: RunState; lease_expires_at: string | null }>(
    "SELECT state, lease_expires_at FROM runs WHERE run_id = $1",
    [runId],
  );
  return run?.state === "INPROGRESS" && run.lease_expires_at === null;
}

async function say(db: Database, { run_id, waited }: StoredWaits, end: WaitEnd, at: string): Promise<void> {
  const results = await readWaited(db, waited);
  await recordGiven(db, run_id, results);
  await dropWaits(db, run_id);
  await addOwnMessage(db, run_id, waitMessage(end, results), at);
}

import type { Debounce } from "../../definitions/definition.ts";
import { windowSetting } from "../../runs/rules/run-key.ts";
import type { Database } from "../sqlite/database.ts";
import { MARK_PLACEMENT } from "./held-placement.ts";
import { HELD_FOR_KEY } from "./key-holds.ts";

/** What tells whether a run is in a window. */
export interface HeldRun {
  run_id: string;
  held_until: string | null;
  window_opened_at: string | null;
  window_setting: string | null;
}

/** Whether the window of a run is open: one that is over takes nothing more, even where nobody has ended it yet. */
export function isInWindow({ held_until: until }: Pick<HeldRun, "held_until">, at: string): boolean {
  return until !== null && until < HELD_FOR_KEY && until > at;
}

/** When a window ends that has just got a delivery. A clock that was set back does not make it longer. */
function windowEnd({ quietMs, longestMs }: Debounce, openedAt: string, at: string): string {
  const now = Date.parse(at);
  const longest = Math.min(Date.parse(openedAt), now) + longestMs;
  return new Date(Math.min(now + quietMs, longest)).toISOString();
}

/**
 * When the open window of a run ends, or a new one, that has just got a delivery. Deliveries may be recorded in another order than that
 * in which they came: none makes a window shorter, unless its automation has another one by now.
 */
export function endOfWindow(run: HeldRun | undefined, debounce: Debounce, at: string): string {
  const end = windowEnd(debounce, run?.window_opened_at ?? at, at);
  const before = run?.window_setting === windowSetting(debounce) ? run.held_until : null;
  return before !== null && before > end ? before : end;
}

/** Has a run that waits for a turn wait for others to come. */
export async function openWindow(db: Database, runId: string, debounce: Debounce, at: string): Promise<void> {
  await db.run(
    `UPDATE runs SET held_until = $1, ${MARK_PLACEMENT}, window_opened_at = $2, window_setting = $3
     WHERE run_id = $4 AND state = 'QUEUED' AND held_until IS NULL`,
    [endOfWindow(undefined, debounce, at), at, windowSetting(debounce), runId],
  );
}

/** Has the window of a run last until its quiet time is over again. */
export async function extendWindow(
  db: Database,
  run: HeldRun,
  debounce: Debounce,
  at: string,
): Promise<void> {
  if (!isInWindow(run, at)) return;
  await db.run(
    `UPDATE runs SET held_until = $1
     WHERE run_id = $2 AND state = 'QUEUED' AND held_until IS NOT NULL AND held_until < '${HELD_FOR_KEY}'`,
    [endOfWindow(run, debounce, at), run.run_id],
  );
}

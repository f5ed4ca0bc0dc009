import type { Debounce } from "../../definitions/concurrency.ts";
import { windowSetting } from "../../runs/rules/run-key.ts";
import type { Database } from "../sqlite/database.ts";
import { MARK_PLACEMENT } from "./held-placement.ts";
import { HELD_FOR_KEY } from "./key-holds.ts";

/** What tells whether a run is in a window. */
export interface HeldRun {
  run_id: string;
  held_until: string | null;
  window_opened_at: string | null;
}

/** Whether the window of a run is open: one that is over takes nothing more, even where nobody has ended it yet. */
export function isInWindow({ held_until: until }: Pick<HeldRun, "held_until">, at: string): boolean {
  return until !== null && until < HELD_FOR_KEY && until > at;
}

/** When a window ends that has just got a delivery. A clock that was set back does not make it longer. */
export function windowEnd({ quietMs, longestMs }: Debounce, openedAt: string, at: string): string {
  const now = Date.parse(at);
  const longest = Math.min(Date.parse(openedAt), now) + longestMs;
  return new Date(Math.min(now + quietMs, longest)).toISOString();
}

/** Has a run that waits for a turn wait for others to come. */
export async function openWindow(db: Database, runId: string, debounce: Debounce, at: string): Promise<void> {
  await db.run(
    `UPDATE runs SET held_until = $1, ${MARK_PLACEMENT}, window_opened_at = $2, window_setting = $3
     WHERE run_id = $4 AND state = 'QUEUED' AND held_until IS NULL`,
    [windowEnd(debounce, at, at), at, windowSetting(debounce), runId],
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
    [windowEnd(debounce, run.window_opened_at ?? at, at), run.run_id],
  );
}

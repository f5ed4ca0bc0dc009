import type { Database } from "../sqlite/database.ts";

/** @returns the milliseconds between two instants; 0 without the first, or when a clock was set back between them */
export function msSince(instant: string | null, at: string): number {
  return instant === null ? 0 : Math.max(0, Date.parse(at) - Date.parse(instant));
}

/** Ends the time in which the agent of a run has waited for a person. */
export async function endAbsence(db: Database, runId: string, at: string): Promise<void> {
  const run = await db.first<{ away_at: string | null }>("SELECT away_at FROM runs WHERE run_id = $1", [
    runId,
  ]);
  if (!run?.away_at) return;
  await db.run("UPDATE runs SET away_ms = away_ms + $1, away_at = NULL WHERE run_id = $2", [
    msSince(run.away_at, at),
    runId,
  ]);
}

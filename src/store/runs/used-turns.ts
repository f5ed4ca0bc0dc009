import type { Database } from "../sqlite/database.ts";

/** A turn with what its run belongs to. */
export interface OwnedTurn {
  run_id: string;
  turn: number;
  factory_uid: string | null;
  automation_uid: string | null;
  agent_uid: string | null;
}

/** What is known of a turn from now on; what is left out stays. */
interface TurnUse {
  /** Whether models were told. */
  hasUsage?: boolean;
  workedMs?: number;
  cpuMs?: number | null;
  peakMemoryBytes?: number | null;
}

/** Notes what a turn has used, for sums that outlast its run. */
export async function keepTurnUse(
  db: Database,
  { run_id, turn, factory_uid, automation_uid, agent_uid }: OwnedTurn,
  { hasUsage = false, workedMs, cpuMs, peakMemoryBytes }: TurnUse,
  at: string,
): Promise<void> {
  await db.run(
    `INSERT INTO run_turns (run_id, turn, factory_uid, automation_uid, agent_uid, used_at, has_usage, is_last,
       worked_ms, cpu_ms, peak_memory_bytes)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $10)
     ON CONFLICT (run_id, turn) DO UPDATE SET
       used_at = excluded.used_at,
       has_usage = CASE WHEN excluded.has_usage = 1 THEN 1 ELSE run_turns.has_usage END,
       worked_ms = COALESCE(excluded.worked_ms, run_turns.worked_ms),
       cpu_ms = COALESCE(excluded.cpu_ms, run_turns.cpu_ms),
       peak_memory_bytes = COALESCE(excluded.peak_memory_bytes, run_turns.peak_memory_bytes)`,
    [
      ...[run_id, turn, factory_uid, automation_uid, agent_uid, at, hasUsage ? 1 : 0],
      ...[workedMs ?? null, cpuMs ?? null, peakMemoryBytes ?? null],
    ],
  );
  if (turn === 1) return;
  await db.run("UPDATE run_turns SET is_last = 0 WHERE run_id = $1 AND turn < $2 AND is_last = 1", [
    run_id,
    turn,
  ]);
}

import type { ProcessFacts, SeenProcess, WorkerProcess, WorkerStore } from "../../workers/worker.ts";
import { type Database, NO_LIMIT } from "../sqlite/database.ts";

interface ProcessRow {
  worker_id: string;
  process_uid: string;
  facts: string;
  connected_at: string;
  seen_at: string;
  left_at: string | null;
}

const COLUMNS = "worker_id, process_uid, facts, connected_at, seen_at, left_at";

type OfProcesses = Pick<WorkerStore, "listProcesses" | "keepSeen" | "keepLeft" | "pruneProcesses">;

/** The processes that have connected with the tokens of workers. */
export function workerProcesses(db: Database): OfProcesses {
  return {
    async listProcesses(workerId) {
      const rows =
        workerId === undefined
          ? await db.all<ProcessRow>(`SELECT ${COLUMNS} FROM worker_processes`)
          : await db.all<ProcessRow>(`SELECT ${COLUMNS} FROM worker_processes WHERE worker_id = $1`, [
              workerId,
            ]);
      return rows.map(toProcess);
    },
    keepSeen: (process, mostOfWorker) => keepSeen(db, process, mostOfWorker),
    async keepLeft(workerId, uid, at) {
      await db.run(
        "UPDATE worker_processes SET left_at = $1, seen_at = $1 WHERE worker_id = $2 AND process_uid = $3",
        [at, workerId, uid],
      );
    },
    pruneProcesses: (seenBefore, limit) =>
      db.run(
        `DELETE FROM worker_processes WHERE (worker_id, process_uid) IN (
           SELECT old.worker_id, old.process_uid FROM worker_processes old
           WHERE old.seen_at < $1 AND EXISTS (
             SELECT 1 FROM worker_processes other
             WHERE other.worker_id = old.worker_id
               AND (other.seen_at, other.process_uid) > (old.seen_at, old.process_uid))
           LIMIT $2)`,
        [seenBefore, limit],
      ),
  };
}

async function keepSeen(
  db: Database,
  { workerId, uid, facts, at, awayBefore }: SeenProcess,
  mostOfWorker: number,
): Promise<boolean> {
  // A worker that was revoked since its token was recognised has no processes any more.
  const kept = await db.run(
    `INSERT INTO worker_processes (${COLUMNS})
     SELECT id, $2, $3, $4, $4, NULL FROM workers WHERE id = $1
     ON CONFLICT (worker_id, process_uid) DO UPDATE SET
       facts = excluded.facts,
       connected_at = CASE
         WHEN worker_processes.left_at IS NOT NULL OR worker_processes.seen_at < $5 THEN excluded.seen_at
         ELSE worker_processes.connected_at END,
       seen_at = excluded.seen_at,
       left_at = NULL`,
    [workerId, uid, JSON.stringify(facts), at, awayBefore],
  );
  if (kept === 0) return false;
  await db.run(
    `DELETE FROM worker_processes WHERE worker_id = $1 AND process_uid IN (
       SELECT process_uid FROM worker_processes WHERE worker_id = $1
       ORDER BY process_uid = $2 DESC, seen_at DESC, process_uid LIMIT ${NO_LIMIT} OFFSET $3)`,
    [workerId, uid, mostOfWorker],
  );
  return true;
}

function toProcess(row: ProcessRow): WorkerProcess {
  return {
    ...(JSON.parse(row.facts) as ProcessFacts),
    workerId: row.worker_id,
    uid: row.process_uid,
    connectedAt: row.connected_at,
    seenAt: row.seen_at,
    leftAt: row.left_at,
  };
}

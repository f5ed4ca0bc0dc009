import type {
  NewWorker,
  ProcessFacts,
  SeenProcess,
  Worker,
  WorkerProcess,
  WorkerStore,
} from "../../workers/worker.ts";
import { type Database, NO_LIMIT } from "../sqlite/database.ts";

interface WorkerRow {
  id: string;
  name: string;
  labels: string;
  factories: string | null;
  prefix: string;
  created_by: string;
  created_at: string;
  draining_since: string | null;
}

/** Never the hash of a token: nobody needs it but the statement that looks for one. */
const COLUMNS = "id, name, labels, factories, prefix, created_by, created_at, draining_since";

export function workerStore(db: Database): WorkerStore {
  const findBy = async (column: "id" | "hash", value: string) => {
    const row = await db.first<WorkerRow>(`SELECT ${COLUMNS} FROM workers WHERE ${column} = $1`, [value]);
    return row && toWorker(row);
  };
  return {
    ...workerProcesses(db),
    create: (worker) => create(db, worker),
    find: (id) => findBy("id", id),
    findByToken: (hash) => findBy("hash", hash),
    async list() {
      const rows = await db.all<WorkerRow>(`SELECT ${COLUMNS} FROM workers ORDER BY name, created_at, id`);
      return rows.map(toWorker);
    },
    async revoke(id) {
      await db.run("DELETE FROM worker_processes WHERE worker_id = $1", [id]);
      return (await db.run("DELETE FROM workers WHERE id = $1", [id])) > 0;
    },
    async setDraining(id, since) {
      const [row] = await db.all<WorkerRow>(
        `UPDATE workers SET draining_since =
           CASE WHEN CAST($2 AS TEXT) IS NULL THEN NULL ELSE COALESCE(draining_since, $2) END
         WHERE id = $1 RETURNING ${COLUMNS}`,
        [id, since],
      );
      return row && toWorker(row);
    },
  };
}

async function create(db: Database, worker: NewWorker): Promise<void> {
  await db.run(
    `INSERT INTO workers (id, name, labels, factories, prefix, hash, created_by, created_at, draining_since)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      worker.id,
      worker.name,
      JSON.stringify(worker.labels),
      worker.factories === null ? null : JSON.stringify(worker.factories),
      worker.prefix,
      worker.hash,
      JSON.stringify(worker.createdBy),
      worker.createdAt,
      worker.drainingSince,
    ],
  );
}

function toWorker(row: WorkerRow): Worker {
  return {
    id: row.id,
    name: row.name,
    labels: JSON.parse(row.labels),
    factories: row.factories === null ? null : JSON.parse(row.factories),
    prefix: row.prefix,
    createdBy: JSON.parse(row.created_by),
    createdAt: row.created_at,
    drainingSince: row.draining_since,
  };
}

interface ProcessRow {
  worker_id: string;
  process_uid: string;
  facts: string;
  connected_at: string;
  seen_at: string;
  left_at: string | null;
}

const PROCESS_COLUMNS = "worker_id, process_uid, facts, connected_at, seen_at, left_at";

type OfProcesses = Pick<WorkerStore, "listProcesses" | "keepSeen" | "keepLeft" | "pruneProcesses">;

/** The processes that have connected with the tokens of workers. */
function workerProcesses(db: Database): OfProcesses {
  return {
    async listProcesses(workerId) {
      const rows =
        workerId === undefined
          ? await db.all<ProcessRow>(`SELECT ${PROCESS_COLUMNS} FROM worker_processes`)
          : await db.all<ProcessRow>(`SELECT ${PROCESS_COLUMNS} FROM worker_processes WHERE worker_id = $1`, [
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
    `INSERT INTO worker_processes (${PROCESS_COLUMNS})
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

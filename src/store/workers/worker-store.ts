import type { NewWorker, Worker, WorkerStore } from "../../workers/worker.ts";
import type { Database } from "../sqlite/database.ts";
import { workerProcesses } from "./worker-processes.ts";

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

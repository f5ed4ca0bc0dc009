import { randomBytes } from "node:crypto";
import type { HealthStore } from "../../api/admin/health.ts";
import type { ServerProcess, ServerProcessStore } from "../../workers/server-presence.ts";
import type { Database } from "../sqlite/database.ts";

interface ServerRow {
  server_uid: string;
  name: string;
  version: string;
  started_at: string;
  seen_at: string;
  is_leader: number;
  executing: number;
  concurrency: number;
}

const COLUMNS = "server_uid, name, version, started_at, seen_at, is_leader, executing, concurrency";

/** The servers that share the store: a handful. */
export function serverProcessStore(db: Database): ServerProcessStore {
  return {
    async keepSeen(server, forgetBefore) {
      await db.run(
        `INSERT INTO servers (${COLUMNS})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (server_uid) DO UPDATE SET
           name = excluded.name, version = excluded.version, started_at = excluded.started_at,
           seen_at = excluded.seen_at, is_leader = excluded.is_leader,
           executing = excluded.executing, concurrency = excluded.concurrency`,
        [
          server.uid,
          server.name,
          server.version,
          server.startedAt,
          server.seenAt,
          server.isLeader ? 1 : 0,
          server.executing,
          server.concurrency,
        ],
      );
      if (server.isLeader)
        await db.run("UPDATE servers SET is_leader = 0 WHERE is_leader = 1 AND server_uid <> $1", [
          server.uid,
        ]);
      await db.run("DELETE FROM servers WHERE seen_at < $1", [forgetBefore]);
    },
    async list() {
      const sql = `SELECT ${COLUMNS} FROM servers ORDER BY name, server_uid`;
      return (await db.all<ServerRow>(sql)).map(toServer);
    },
    async remove(uid) {
      await db.run("DELETE FROM servers WHERE server_uid = $1", [uid]);
    },
  };
}

function toServer(row: ServerRow): ServerProcess {
  return {
    uid: row.server_uid,
    name: row.name,
    version: row.version,
    startedAt: row.started_at,
    seenAt: row.seen_at,
    isLeader: row.is_leader === 1,
    executing: row.executing,
    concurrency: row.concurrency,
  };
}

export function healthStore(db: Database): HealthStore {
  return {
    async probe(bytes) {
      await db.run(
        "INSERT INTO health (only_row, filler) VALUES (1, $1) ON CONFLICT (only_row) DO UPDATE SET filler = excluded.filler",
        [randomBytes(bytes)],
      );
    },
  };
}

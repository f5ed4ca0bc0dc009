import type { Session, SessionStore } from "../../principals/session.ts";
import { type Database, NO_LIMIT } from "../sqlite/database.ts";

interface SessionRow {
  key_id: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
}

export function sessionStore(db: Database): SessionStore {
  return {
    async find(hash) {
      const row = await db.first<SessionRow>(
        "SELECT key_id, created_at, last_seen_at, expires_at FROM sessions WHERE hash = $1",
        [hash],
      );
      return row && toSession(row);
    },
    async create(hash, { keyId, createdAt, lastSeenAt, expiresAt }, mostOfKey) {
      await db.run(
        "INSERT INTO sessions (hash, key_id, created_at, last_seen_at, expires_at) VALUES ($1, $2, $3, $4, $5)",
        [hash, keyId, createdAt, lastSeenAt, expiresAt],
      );
      await db.run(
        `DELETE FROM sessions WHERE hash IN (
           SELECT hash FROM sessions WHERE key_id = $1 ORDER BY hash = $2 DESC, last_seen_at DESC LIMIT ${NO_LIMIT} OFFSET $3)`,
        [keyId, hash, mostOfKey],
      );
    },
    async recordUse(hash, at) {
      await db.run("UPDATE sessions SET last_seen_at = $1 WHERE hash = $2", [at, hash]);
    },
    async end(hash) {
      await db.run("DELETE FROM sessions WHERE hash = $1", [hash]);
    },
    prune: ({ expiredBefore, seenBefore }, limit) =>
      db.run(
        `DELETE FROM sessions WHERE hash IN
           (SELECT hash FROM sessions WHERE expires_at <= $1 OR last_seen_at <= $2 LIMIT $3)`,
        [expiredBefore, seenBefore, limit],
      ),
  };
}

function toSession(row: SessionRow): Session {
  return {
    keyId: row.key_id,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
  };
}

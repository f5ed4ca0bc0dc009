import type { ApiKey, KeyStore, NewApiKey, Principal } from "../../principals/principal.ts";
import type { Database } from "../sqlite/database.ts";

interface KeyRow {
  id: string;
  principal_uid: string;
  principal_kind: Principal["type"];
  name: string;
  kind: ApiKey["kind"];
  role: ApiKey["role"];
  factories: string | null;
  prefix: string;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
}

const SELECT = `
  SELECT api_keys.id, api_keys.principal_uid, principals.kind AS principal_kind,
         api_keys.name, api_keys.kind, api_keys.role, api_keys.factories, api_keys.prefix, api_keys.created_at,
         api_keys.last_used_at, api_keys.expires_at, api_keys.revoked_at
  FROM api_keys JOIN principals ON principals.uid = api_keys.principal_uid`;

export function keyStore(db: Database): KeyStore {
  return {
    async findByHash(hash) {
      const row = await db.first<KeyRow>(`${SELECT} WHERE api_keys.hash = $1`, [hash]);
      return row && toKey(row);
    },
    async findById(id) {
      const row = await db.first<KeyRow>(`${SELECT} WHERE api_keys.id = $1`, [id]);
      return row && toKey(row);
    },
    async list() {
      const rows = await db.all<KeyRow>(`${SELECT} ORDER BY api_keys.created_at, api_keys.id`);
      return rows.map(toKey);
    },
    create: (key) => create(db, key),
    async createFirstAdmin(key) {
      const admin = await db.first(
        `SELECT 1 FROM api_keys WHERE role = 'admin' AND factories IS NULL AND revoked_at IS NULL
         AND (expires_at IS NULL OR expires_at > $1)`,
        [key.createdAt],
      );
      return admin ? undefined : create(db, key);
    },
    async revoke(id, at) {
      // One statement, so that of two who revoke the last two at once only one succeeds.
      const revoked = await db.run(
        `UPDATE api_keys SET revoked_at = $1, from_settings = 0
         WHERE id = $2 AND revoked_at IS NULL AND (
           role <> 'admin' OR factories IS NOT NULL OR expires_at <= $1 OR EXISTS (
             SELECT 1 FROM api_keys other
             WHERE other.id <> $2 AND other.role = 'admin' AND other.factories IS NULL
               AND other.revoked_at IS NULL AND (other.expires_at IS NULL OR other.expires_at > $1)))`,
        [at, id],
      );
      if (revoked > 0) return "revoked";
      const kept = await db.first("SELECT 1 FROM api_keys WHERE id = $1 AND revoked_at IS NULL", [id]);
      return kept ? "last admin" : "not active";
    },
    async revokeFormerSettings(activeHash, at) {
      await db.run(
        "UPDATE api_keys SET revoked_at = $1 WHERE from_settings = 1 AND hash <> $2 AND revoked_at IS NULL",
        [at, activeHash ?? ""],
      );
    },
    async reinstateSettings(hash) {
      const reinstated = await db.run(
        "UPDATE api_keys SET revoked_at = NULL WHERE from_settings = 1 AND hash = $1",
        [hash],
      );
      return reinstated > 0;
    },
    async recordUse(id, at) {
      await db.run("UPDATE api_keys SET last_used_at = $1 WHERE id = $2", [at, id]);
    },
  };
}

async function create(db: Database, key: NewApiKey): Promise<ApiKey> {
  const { uid, type, displayName } = key.principal;
  // The id of the key, because an earlier version gives the principal of a name to every key that has the name.
  await db.run(
    `INSERT INTO principals (uid, kind, display_name, created_at)
         SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT 1 FROM api_keys WHERE hash = $5)`,
    [uid, type, `${displayName} (${key.id})`, key.createdAt, key.hash],
  );
  await db.run(
    `INSERT INTO api_keys (id, principal_uid, name, kind, role, factories, prefix, hash, from_settings, created_at, expires_at)
         SELECT $1, uid, $2, $3, $4, $5, $6, $7, $8, $9, $10 FROM principals WHERE uid = $11
         ON CONFLICT (hash) DO NOTHING`,
    [
      key.id,
      key.name,
      key.kind,
      key.role,
      key.factories === null ? null : JSON.stringify(key.factories),
      key.prefix,
      key.hash,
      key.fromSettings ? 1 : 0,
      key.createdAt,
      key.expiresAt,
      uid,
    ],
  );
  const row = await db.first<KeyRow>(`${SELECT} WHERE api_keys.hash = $1`, [key.hash]);
  if (!row) throw new Error("the key that was just created was not found");
  return toKey(row);
}

function toKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    principal: { uid: row.principal_uid, type: row.principal_kind, displayName: row.name },
    name: row.name,
    kind: row.kind,
    role: row.role,
    factories: row.factories === null ? null : JSON.parse(row.factories),
    prefix: row.prefix,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}

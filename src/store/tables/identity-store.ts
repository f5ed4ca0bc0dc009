import { isAnother } from "../../concurrency/record-tag.ts";
import type { AgentIdentity, IdentityConfig, IdentityStore } from "../../runs/agents/agent-identity.ts";
import type { Database } from "../sqlite/database.ts";

interface IdentityRow {
  uid: string;
  name: string;
  description: string | null;
  secrets: string;
  skills: string;
  /** JSON. */
  config: string;
  created_at: string;
  updated_at: string;
}

const SELECT =
  "SELECT uid, name, description, secrets, skills, config, created_at, updated_at FROM identities";

export function identityStore(db: Database): IdentityStore {
  const find = async (uid: string) => {
    const row = await db.first<IdentityRow>(`${SELECT} WHERE uid = $1`, [uid]);
    return row && toIdentity(row);
  };

  return {
    async list() {
      return (await db.all<IdentityRow>(`${SELECT} ORDER BY name`)).map(toIdentity);
    },
    find,
    async create({ uid, name, description, secrets, skills, config, createdAt, updatedAt }) {
      const lists = [secrets, skills, config].map((value) => JSON.stringify(value));
      const created = await db.run(
        `INSERT INTO identities (uid, name, description, secrets, skills, config, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (name) DO NOTHING`,
        [uid, name, description, ...lists, createdAt, updatedAt],
      );
      return created > 0;
    },
    async update(uid, changes, at, expected) {
      const before = await find(uid);
      if (!before) return undefined;
      if (isAnother(before, expected)) return "changed";
      const { name, description, secrets, skills } = { ...before, ...changes };
      const config = mergeConfig(before.config, changes.config ?? {});
      const others = "SELECT uid FROM identities WHERE name = $1 AND uid <> $2";
      if (await db.first(others, [name, uid])) return "name_taken";
      await db.run(
        `UPDATE identities SET name = $1, description = $2, secrets = $3, skills = $4, config = $5, updated_at = $6
         WHERE uid = $7`,
        [name, description, ...[secrets, skills, config].map((value) => JSON.stringify(value)), at, uid],
      );
      return find(uid);
    },
    async remove(uid, at, expected) {
      const before = await find(uid);
      if (before && isAnother(before, expected)) return "changed";
      const removed = await db.run("DELETE FROM identities WHERE uid = $1", [uid]);
      // Only with an identity: a uid that is someone else's must not cost them their keys.
      if (removed === 0) return false;
      await db.run("UPDATE api_keys SET revoked_at = $1 WHERE principal_uid = $2 AND revoked_at IS NULL", [
        at,
        uid,
      ]);
      return true;
    },
  };
}

function toIdentity(row: IdentityRow): AgentIdentity {
  return {
    uid: row.uid,
    name: row.name,
    description: row.description,
    secrets: JSON.parse(row.secrets),
    skills: JSON.parse(row.skills),
    config: JSON.parse(row.config),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Member by member, so that two changes that come at once are both there; what is empty is not kept. */
function mergeConfig(before: IdentityConfig, changes: IdentityConfig): IdentityConfig {
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  return value === "" || (typeof value === "object" && (value === null || Object.keys(value).length === 0));
}

import type { SigningKey, SigningKeyStore } from "../../oidc/identity-keys.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

interface KeyRow {
  key_id: string;
  generation: number;
  /** JSON. */
  public_key: string;
  sealed: Uint8Array;
  signs_from: string;
  created_at: string;
}

const COLUMNS = "key_id, generation, public_key, sealed, signs_from, created_at";

export function signingKeyStore(db: Database): SigningKeyStore {
  return {
    async list() {
      return (await db.all<KeyRow>(`SELECT ${COLUMNS} FROM signing_keys ORDER BY generation`)).map(toKey);
    },
    async add({ id, generation, publicKey, sealed, signsFrom, createdAt }, revokes) {
      const added = await db.run(
        `INSERT INTO signing_keys (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (generation) DO NOTHING`,
        [id, generation, JSON.stringify(publicKey), sealed, signsFrom, createdAt],
      );
      if (added > 0 && revokes) await db.run("DELETE FROM signing_keys WHERE key_id <> $1", [id]);
      return added > 0;
    },
    async remove(ids) {
      await db.run(`DELETE FROM signing_keys WHERE key_id IN (${placeholders(ids.length)})`, [...ids]);
    },
  };
}

function toKey(row: KeyRow): SigningKey {
  return {
    id: row.key_id,
    generation: row.generation,
    publicKey: JSON.parse(row.public_key),
    sealed: row.sealed,
    signsFrom: row.signs_from,
    createdAt: row.created_at,
  };
}

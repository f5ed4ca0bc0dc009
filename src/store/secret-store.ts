import type { SealedSecret, SecretStore, SecretSummary } from "../secrets/secret.ts";
import { type Database, placeholders } from "./database.ts";

/** Sets a secret, whether it is there or not; the caller's transaction makes it whole. */
export async function putSecret(db: Database, { name, sealed }: SealedSecret, at: string): Promise<void> {
  await db.run(
    `INSERT INTO secrets (name, sealed, created_at, updated_at) VALUES ($1, $2, $3, $3)
     ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed, updated_at = excluded.updated_at`,
    [name, sealed, at],
  );
}

export function secretStore(db: Database): SecretStore {
  return {
    list: () => db.all<SecretSummary>("SELECT name, created_at, updated_at FROM secrets ORDER BY name"),
    find: (names) =>
      db.all<SealedSecret>(
        `SELECT name, sealed FROM secrets WHERE name IN (${placeholders(names.length)})`,
        names,
      ),
    async put(secret, at) {
      const { name } = secret;
      await putSecret(db, secret, at);
      const created = await db.first<{ created_at: string }>(
        "SELECT created_at FROM secrets WHERE name = $1",
        [name],
      );
      return { name, created_at: created?.created_at ?? at, updated_at: at };
    },
    remove: async (name) => (await db.run("DELETE FROM secrets WHERE name = $1", [name])) > 0,
    findSealing: () => db.first('SELECT salt, check_value AS "check" FROM sealing'),
    async findWhetherAnythingIsSealed() {
      const row = await db.first<{ found: number }>(
        "SELECT CASE WHEN EXISTS (SELECT 1 FROM secrets) OR EXISTS (SELECT 1 FROM webhook_credentials) THEN 1 ELSE 0 END AS found",
      );
      return row?.found === 1;
    },
    async saveSealing({ salt, check }) {
      await db.run(
        `INSERT INTO sealing (only_row, salt, check_value) VALUES (1, $1, $2)
         ON CONFLICT (only_row) DO UPDATE SET salt = excluded.salt, check_value = excluded.check_value`,
        [salt, check],
      );
    },
  };
}

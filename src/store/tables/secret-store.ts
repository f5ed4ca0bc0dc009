import { isSameScope, NO_FACTORY, type SecretScope } from "../../secrets/rules/scope.ts";
import type {
  BoundName,
  ScopedSecret,
  SealedSecret,
  SecretStore,
  SecretSummary,
} from "../../secrets/secret.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { listScopes, putScope, scopesIn } from "./scope-rows.ts";

const SCOPES = "secret_scopes";

type SecretRow = Omit<SecretSummary, keyof SecretScope>;

/** Gives a secret its value, and the scope that it has with it; the caller's transaction makes it whole. */
export async function putSecret(
  db: Database,
  { name, sealed, scope }: SealedSecret & { scope: SecretScope },
  at: string,
): Promise<void> {
  await db.run(
    `INSERT INTO secrets (name, sealed, created_at, updated_at) VALUES ($1, $2, $3, $3)
     ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed, updated_at = excluded.updated_at`,
    [name, sealed, at],
  );
  await putScope(db, SCOPES, { name, ...scope });
}

/** The scope of a secret that is in the store; nothing when there is none of the name. */
async function scopeOfSecret(db: Database, name: string): Promise<SecretScope | undefined> {
  const found = await db.first("SELECT name FROM secrets WHERE name = $1", [name]);
  if (!found) return undefined;
  return (await scopesIn(db, SCOPES, [name])).get(name) ?? NO_FACTORY;
}

export function secretStore(db: Database): SecretStore {
  return {
    async list() {
      const scopes = await scopesIn(db, SCOPES);
      const rows = await db.all<SecretRow>("SELECT name, created_at, updated_at FROM secrets ORDER BY name");
      return rows.map((row) => ({ ...row, ...(scopes.get(row.name) ?? NO_FACTORY) }));
    },
    find: (names) =>
      db.all<SealedSecret>(
        `SELECT name, sealed FROM secrets WHERE name IN (${placeholders(names.length)})`,
        names,
      ),
    listScopes: () => listScopes(db, SCOPES),
    async put(secret, at) {
      if (!(await isAsExpected(db, secret))) return undefined;
      const { name, scope } = secret;
      await putSecret(db, secret, at);
      const created = await db.first<{ created_at: string }>(
        "SELECT created_at FROM secrets WHERE name = $1",
        [name],
      );
      return { name, created_at: created?.created_at ?? at, updated_at: at, ...scope };
    },
    async putScopes(scopes) {
      for (const scope of scopes) await putScope(db, SCOPES, scope);
    },
    async changeScope(scope, expected) {
      if (!(await isAsExpected(db, { name: scope.name, expected }))) return false;
      await putScope(db, SCOPES, scope);
      return true;
    },
    listBoundNames: () => db.all<BoundName>("SELECT name, factory_uid AS uid FROM bound_names ORDER BY name"),
    async bindNames(names) {
      for (const { name, uid } of names) {
        const sql =
          "INSERT INTO bound_names (name, factory_uid) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
        await db.run(sql, [name, uid]);
      }
    },
    async remove(name, expected) {
      if (!(await isAsExpected(db, { name, expected }))) return false;
      await db.run("DELETE FROM secret_scopes WHERE name = $1", [name]);
      return (await db.run("DELETE FROM secrets WHERE name = $1", [name])) > 0;
    },
    findSealing: () => db.first('SELECT salt, check_value AS "check" FROM sealing'),
    async findWhetherAnythingIsSealed() {
      const row = await db.first<{ found: number }>(
        "SELECT CASE WHEN EXISTS (SELECT 1 FROM secrets) OR EXISTS (SELECT 1 FROM webhook_credentials) THEN 1 ELSE 0 END AS found",
      );
      return row?.found === 1;
    },
    async saveSealing({ salt, check }, replaces) {
      const conflict = replaces
        ? "UPDATE SET salt = excluded.salt, check_value = excluded.check_value"
        : "NOTHING";
      await db.run(
        `INSERT INTO sealing (only_row, salt, check_value) VALUES (1, $1, $2) ON CONFLICT (only_row) DO ${conflict}`,
        [salt, check],
      );
    },
  };
}

/** Who decided what a secret may become has seen its scope; in the meantime someone else may have given it another. */
export async function isAsExpected(
  db: Database,
  { name, expected }: Pick<ScopedSecret, "name" | "expected">,
): Promise<boolean> {
  const found = await scopeOfSecret(db, name);
  if (!found || !expected) return found === expected;
  return isSameScope(found, expected);
}

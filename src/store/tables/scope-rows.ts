import { NO_FACTORY, type SecretScope } from "../../secrets/rules/scope.ts";
import type { NamedScope } from "../../secrets/secret.ts";
import type { SettingScopeStore } from "../../secrets/setting-scopes.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

/** Tables of one shape: a name, and a factory that may use what is called so. */
type ScopeTable = "secret_scopes" | "setting_scopes";

/** In the place of a factory's uid: every factory. */
const EVERY_FACTORY = "*";

interface ScopeRow {
  name: string;
  factory_uid: string;
}

/** The scopes of a table by their names, or of these names alone. */
export async function scopesIn(
  db: Database,
  table: ScopeTable,
  names?: readonly string[],
): Promise<Map<string, SecretScope>> {
  const where = names ? `WHERE name IN (${placeholders(names.length)}) ` : "";
  const sql = `SELECT name, factory_uid FROM ${table} ${where}ORDER BY name, factory_uid`;
  const scopes = new Map<string, SecretScope>();
  for (const { name, factory_uid: uid } of await db.all<ScopeRow>(sql, names ?? [])) {
    const { shared, factories } = scopes.get(name) ?? NO_FACTORY;
    const isEvery = uid === EVERY_FACTORY;
    scopes.set(name, { shared: shared || isEvery, factories: isEvery ? factories : [...factories, uid] });
  }
  return scopes;
}

/** All scopes of a table; a name that no one may use has none. */
export async function listScopes(db: Database, table: ScopeTable): Promise<NamedScope[]> {
  return [...(await scopesIn(db, table))].map(([name, scope]) => ({ name, ...scope }));
}

/** Gives a name its scope, in place of the one that it had. */
export async function putScope(
  db: Database,
  table: ScopeTable,
  { name, shared, factories }: NamedScope,
): Promise<void> {
  await db.run(`DELETE FROM ${table} WHERE name = $1`, [name]);
  for (const uid of shared ? [EVERY_FACTORY] : new Set(factories)) {
    await db.run(`INSERT INTO ${table} (name, factory_uid) VALUES ($1, $2)`, [name, uid]);
  }
}

/** A factory goes on as another record: what that one could use, it can, and its names in the settings are this one's. */
export async function moveScopes(db: Database, from: string, to: string): Promise<void> {
  for (const table of ["secret_scopes", "setting_scopes"] satisfies ScopeTable[]) {
    await db.run(
      `INSERT INTO ${table} (name, factory_uid) SELECT name, $1 FROM ${table} WHERE factory_uid = $2
       ON CONFLICT (name, factory_uid) DO NOTHING`,
      [to, from],
    );
    await db.run(`DELETE FROM ${table} WHERE factory_uid = $1`, [from]);
  }
  await db.run("UPDATE bound_names SET factory_uid = $1 WHERE factory_uid = $2", [to, from]);
}

const SCOPES = "setting_scopes";

/** The scopes of what the settings give, on one database connection. */
export function settingScopeStore(db: Database): SettingScopeStore {
  return {
    list: () => listScopes(db, SCOPES),
    async put(scopes) {
      for (const scope of scopes) await putScope(db, SCOPES, scope);
    },
  };
}

import { BetterSqlite } from "../../src/store/sqlite/better-sqlite.ts";

/** Every row of every table of a database file, as text, by table. */
export function rowsOf(path: string): Record<string, string[]> {
  const handle = new BetterSqlite(path, { readonly: true });
  try {
    const tables = handle
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .pluck()
      .all() as string[];
    return Object.fromEntries(
      tables.map((table) => [
        table,
        handle
          .prepare(`SELECT * FROM "${table}"`)
          .all()
          .map((row) => JSON.stringify(row)),
      ]),
    );
  } finally {
    handle.close();
  }
}

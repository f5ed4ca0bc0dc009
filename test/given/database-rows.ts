import { BetterSqlite } from "../../src/store/sqlite/better-sqlite.ts";
import type { Database } from "../../src/store/sqlite/database.ts";
import { POSTGRES_URL } from "./postgres.ts";

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

/** Everything in a database as one text, in which bytes are Latin-1. */
export async function storedText(database: Pick<Database, "all">): Promise<string> {
  const tables = await database.all<{ name: string }>(
    POSTGRES_URL === undefined
      ? "SELECT name FROM sqlite_master WHERE type = 'table'"
      : "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()",
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await database.all<Record<string, unknown>>(`SELECT * FROM "${name}"`);
    for (const value of rows.flatMap((row) => Object.values(row)))
      texts.push(value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value));
  }
  return texts.join("\n");
}

import { join } from "node:path";
import { openSealer } from "../../src/secrets/master-key.ts";
import { TRANSCRIPT_SCHEMA, transcriptsBeside } from "../../src/store/runs/transcript-file.ts";
import { migrate } from "../../src/store/schema/migrate.ts";
import type { SqlValue } from "../../src/store/sqlite/database.ts";
import { openSqlite, type SqliteConnection } from "../../src/store/sqlite/sqlite.ts";
import { createPorts } from "../../src/store/store.ts";
import { rowsOf } from "./database-rows.ts";
import { temporaryFolder } from "./folder.ts";

export const MASTER_KEY = "a-master-key-for-tests-that-is-long-enough";

/** A data folder whose databases have the schema, and a master key that opens them. */
export async function anEmptyStore(): Promise<{ dataDir: string; database: string }> {
  const dataDir = temporaryFolder("millrace-data");
  const database = join(dataDir, "millrace.db");
  await withDatabase(transcriptsBeside(database), (connection) =>
    migrate(connection, new Date(), TRANSCRIPT_SCHEMA),
  );
  await withDatabase(database, async (connection) => {
    await migrate(connection, new Date());
    const settings = { dataDir, databaseUrl: undefined, masterKey: MASTER_KEY, masterKeyFile: undefined };
    await openSealer(settings, createPorts(connection).secrets);
  });
  return { dataDir, database };
}

/** A store with some rows in every table but those that are left out, whatever they may mean. */
export async function aFilledStore(leftOut: readonly string[] = []) {
  const store = await anEmptyStore();
  for (const path of [transcriptsBeside(store.database), store.database]) {
    await withDatabase(path, async (connection) => {
      // The rows that they refer to come later.
      connection.execute("PRAGMA foreign_keys = OFF");
      const ownTables = ["migrations", "sqlite_sequence", "sealing", ...leftOut];
      const names = Object.keys(rowsOf(path)).filter((name) => !ownTables.includes(name));
      for (const name of names) await fill(connection, name);
      const broken = await connection.all("PRAGMA foreign_key_check");
      if (broken.length > 0) throw new Error(`rows refer to nothing: ${JSON.stringify(broken)}`);
    });
  }
  return store;
}

/** Does something with a database file while no server has it. */
export async function withDatabase<Result>(
  path: string,
  work: (connection: SqliteConnection) => Promise<Result>,
): Promise<Result> {
  const connection = openSqlite(path);
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}

interface Column {
  name: string;
  type: string;
  notnull: number;
  pk: number;
}

const READ_AS_JSON = ["source", "problems"];
const ROWS = [1, 2, 3];
const EVERY_BYTE = Buffer.from([...Array(256).keys()]);
const TEXTS = ["", "tab\tand\nlines\r and \\backslash\\N", "quotes \" and ' {and} ü, 中 and 🚀"];

async function fill(connection: SqliteConnection, table: string): Promise<void> {
  const columns = await connection.all<Column>(`PRAGMA table_info("${table}")`);
  const references = await connection.all<{ from: string; table: string; to: string }>(
    `PRAGMA foreign_key_list("${table}")`,
  );
  const isSingle = columns.some(({ name }) => name === "only_row");
  for (const row of isSingle ? [1] : ROWS) {
    const values: SqlValue[] = [];
    for (const column of columns) {
      const reference = references.find(({ from }) => from === column.name);
      const kind = { row, table: reference?.table ?? table, column: reference?.to ?? column.name };
      values.push(valueIn(column, kind));
    }
    const list = columns.map(({ name }) => `"${name}"`).join(", ");
    const places = values.map((_, index) => `$${index + 1}`).join(", ");
    await connection.run(`INSERT INTO "${table}" (${list}) VALUES (${places})`, values);
  }
}

/** The same for the same row, so that a row can refer to one of another table; one row has nulls where it can. */
function valueIn(
  { type, notnull, pk }: Column,
  { row, table, column }: { row: number; table: string; column: string },
): SqlValue {
  if (row === 2 && notnull === 0 && pk === 0) return null;
  if (type === "INTEGER") return row === 3 && pk === 0 ? Number.MAX_SAFE_INTEGER : row;
  if (type === "REAL") return row / 3;
  const text = `${table}.${column}.${row}`;
  if (type === "BLOB") return Buffer.concat([Buffer.from(text), EVERY_BYTE]);
  const filled = row === 1 ? text : `${text} ${TEXTS[row - 1]}`;
  // A move reads from which folders factories come.
  return table === "factories" && READ_AS_JSON.includes(column) ? JSON.stringify([filled]) : filled;
}

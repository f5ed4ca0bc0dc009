import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSealer } from "../../src/secrets/master-key.ts";
import { connectPostgres } from "../../src/store/postgres/postgres-client.ts";
import { TRANSCRIPT_SCHEMA, transcriptsBeside } from "../../src/store/runs/transcript-file.ts";
import { migrate } from "../../src/store/schema/migrate.ts";
import { SCHEMA } from "../../src/store/schema/schema.ts";
import { BetterSqlite } from "../../src/store/sqlite/better-sqlite.ts";
import type { Database, SqlValue } from "../../src/store/sqlite/database.ts";
import { openSqlite, type SqliteConnection } from "../../src/store/sqlite/sqlite.ts";
import { createPorts } from "../../src/store/store.ts";
import { onFinished } from "./cleanup.ts";
import { temporaryFolder } from "./folder.ts";
import { POSTGRES_URL } from "./postgres.ts";
import { run } from "./server.ts";

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

/** Runs `millrace move` with the master key of the stores of tests. */
export function move(args: readonly string[], env: Record<string, string> = {}) {
  return run(["move", ...args], { MILLRACE_MASTER_KEY: MASTER_KEY, ...env });
}

/** Carries out statements on a database of PostgreSQL. @returns the rows of the last one */
export async function onPostgres(url: string, sql: string): Promise<unknown[]> {
  // Several statements in one text have several results, of which the last one counts.
  const client = await connectPostgres({ url, name: "test" });
  try {
    return [await client.query(sql)].flat().at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}

const STORE = fileURLToPath(new URL("../store/schema/0.1.0.sql", import.meta.url));
/** What a store has before anything is done with it. */
const FIRST_ROWS = /^INSERT INTO (?:migrations|\w+_progress) /;

/** A store as version 0.1.0 made it: the statements that make it again, with all that was in it. */
export const STORE_OF_0_1_0 = readFileSync(STORE, "utf8");

/**
 * Opens an empty store of version 0.1.0.
 * @param step the first step of the schema that it lacks; without one, it has none of those since then
 */
export async function emptyStoreOf0_1_0(step?: string): Promise<SqliteConnection> {
  const connection = openSqlite(":memory:");
  onFinished(() => connection.close());
  const statements = STORE_OF_0_1_0.split(/;\n/).filter(
    (statement) => !/^INSERT /.test(statement) || FIRST_ROWS.test(statement),
  );
  connection.execute(`${statements.join(";\n")}; UPDATE listing_progress SET seq = 0`);
  const before = step === undefined ? 0 : SCHEMA.steps.findIndex(({ name }) => name === step);
  await migrate(connection, new Date(), { ...SCHEMA, recorded: [], steps: stepsUpTo(before) });
  return connection;
}

/** Those of version 0.1.0, which it has, and those that it is to get. */
function stepsUpTo(count: number) {
  const released = SCHEMA.recorded.slice(0, SCHEMA.recorded.length - SCHEMA.steps.length);
  return [...released.map(({ name }) => ({ name, sql: "" })), ...SCHEMA.steps.slice(0, count)];
}

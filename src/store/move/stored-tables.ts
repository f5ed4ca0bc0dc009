import { TRANSCRIPT_SCHEMA } from "../runs/transcript-file.ts";
import { migrate } from "../schema/migrate.ts";
import { SCHEMA, type Schema } from "../schema/schema.ts";
import type { SqlValue } from "../sqlite/database.ts";
import { openSqlite, type SqliteConnection } from "../sqlite/sqlite.ts";

export type ColumnKind = "text" | "integer" | "real" | "bytes";

export interface StoredColumn {
  name: string;
  kind: ColumnKind;
}

/** The values of a row in the order of the columns. */
export type StoredRow = readonly SqlValue[];

/** A table of the store, as the schema makes it. */
export interface StoredTable {
  name: string;
  columns: readonly StoredColumn[];
  /** Whether it is in the file of transcripts, where the database is one of SQLite. */
  isOfTranscripts: boolean;
  /** The column that the database can give numbers to, and whether SQLite remembers those that no row has any more. */
  numbered: { column: string; isRemembered: boolean } | undefined;
  /** The rows that a new schema has. */
  initial: readonly StoredRow[];
}

const KINDS: Readonly<Record<string, ColumnKind>> = {
  TEXT: "text",
  INTEGER: "integer",
  REAL: "real",
  BLOB: "bytes",
};

/** What a database says of itself: each one has its own. */
const NOT_MOVED = ["migrations", "sqlite_sequence"];

/** The tables of the store, each behind those that it refers to. */
export async function storedTables(): Promise<StoredTable[]> {
  return [...(await tablesOf(SCHEMA, false)), ...(await tablesOf(TRANSCRIPT_SCHEMA, true))];
}

async function tablesOf(schema: Schema, isOfTranscripts: boolean): Promise<StoredTable[]> {
  const connection = openSqlite(":memory:");
  try {
    await migrate(connection, new Date(), schema);
    const tables = await connection.all<{ name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name",
    );
    const described: StoredTable[] = [];
    for (const { name, sql } of inOrderOfReferences(tables)) {
      if (!NOT_MOVED.includes(name)) described.push(await tableOf(connection, name, sql, isOfTranscripts));
    }
    return described;
  } finally {
    connection.close();
  }
}

async function tableOf(
  connection: SqliteConnection,
  name: string,
  sql: string,
  isOfTranscripts: boolean,
): Promise<StoredTable> {
  const found = await connection.all<{ name: string; type: string }>(`PRAGMA table_info("${name}")`);
  const columns = found.map((column) => ({ name: column.name, kind: kindOf(name, column.type) }));
  const initial = [...connection.iterate(`SELECT ${columnList({ columns })} FROM "${name}"`)];
  return { name, columns, isOfTranscripts, numbered: numberedColumn(sql), initial };
}

function numberedColumn(sql: string): StoredTable["numbered"] {
  const [, column, remembered] = /(\w+)\s+INTEGER PRIMARY KEY( AUTOINCREMENT)?(?! CHECK)/.exec(sql) ?? [];
  return column === undefined ? undefined : { column, isRemembered: remembered !== undefined };
}

function kindOf(table: string, type: string): ColumnKind {
  const kind = KINDS[type];
  if (kind === undefined) throw new Error(`the table ${table} has a column of type ${type}`);
  return kind;
}

/** The columns of a table as statements list them. */
export function columnList({ columns }: Pick<StoredTable, "columns">): string {
  return columns.map(({ name }) => `"${name}"`).join(", ");
}

function inOrderOfReferences<Table extends { name: string; sql: string }>(tables: readonly Table[]): Table[] {
  const ordered: Table[] = [];
  const add = (table: Table) => {
    if (ordered.includes(table)) return;
    for (const [, name] of table.sql.matchAll(/\bREFERENCES\s+"?(\w+)/g)) {
      const referred = tables.find((other) => other.name === name);
      if (referred && referred !== table) add(referred);
    }
    ordered.push(table);
  };
  for (const table of tables) add(table);
  return ordered;
}

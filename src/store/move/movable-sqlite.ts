import { existsSync } from "node:fs";
import { MillraceError } from "../../errors/error.ts";
import { transcriptMigrations, transcriptsBeside } from "../runs/transcript-file.ts";
import type { Migration } from "../sqlite/database.ts";
import { missingSteps } from "../sqlite/migrate.ts";
import { migrations } from "../sqlite/migrations/migrations.ts";
import { openSqlite, type SqliteConnection } from "../sqlite/sqlite.ts";
import { createPorts } from "../store.ts";
import { BATCH_BYTES, BATCH_ROWS, type MoveSource, sizeOf } from "./movable-store.ts";
import { columnList, type StoredRow, type StoredTable } from "./stored-tables.ts";

/** The two files of a database of SQLite. */
export interface SqliteFiles {
  main: SqliteConnection;
  transcripts: SqliteConnection;
}

/**
 * Opens a database of SQLite to read all of it. Commands that would change it wait until it is closed.
 * @throws MillraceError when there is none, or when it is of another version
 */
export async function openSqliteSource(path: string): Promise<MoveSource> {
  requireFiles(path);
  const [main, transcripts] = [path, transcriptsBeside(path)];
  const files: SqliteFiles = { main: openSqlite(main), transcripts: openSqlite(transcripts) };
  try {
    await requireCurrent(main, files.main, migrations);
    await requireCurrent(transcripts, files.transcripts, transcriptMigrations);
    files.main.begin();
    files.transcripts.begin();
  } catch (error) {
    closeFiles(files);
    throw error;
  }
  return {
    ports: createPorts(files.main),
    read: (table) => readTable(files, table),
    lastNumber: (table) => lastNumber(files.main, table),
    close: async () => closeFiles(files),
  };
}

export function closeFiles({ main, transcripts }: SqliteFiles): void {
  for (const connection of [main, transcripts]) {
    connection.rollback();
    connection.close();
  }
}

/** The rows of a table, some at a time. */
export async function* readTable(
  { main, transcripts }: SqliteFiles,
  table: StoredTable,
): AsyncGenerator<readonly StoredRow[]> {
  const connection = table.isOfTranscripts ? transcripts : main;
  let batch: StoredRow[] = [];
  let bytes = 0;
  for (const row of connection.iterate(`SELECT ${columnList(table)} FROM "${table.name}"`)) {
    batch.push(row);
    bytes += sizeOf(row);
    if (bytes < BATCH_BYTES && batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** The last number of a table; one that no row has any more is remembered where the table says `AUTOINCREMENT`. */
async function lastNumber(main: SqliteConnection, { name, numbered }: StoredTable): Promise<number> {
  if (!numbered) return 0;
  const ofRows = await main.first<{ last: number | null }>(
    `SELECT MAX("${numbered.column}") AS last FROM "${name}"`,
  );
  const given = await main.first<{ last: number }>(
    "SELECT seq AS last FROM sqlite_sequence WHERE name = $1",
    [name],
  );
  return Math.max(ofRows?.last ?? 0, given?.last ?? 0);
}

async function requireCurrent(
  path: string,
  connection: SqliteConnection,
  steps: readonly Migration[],
): Promise<void> {
  const lacking = await missingSteps(connection, steps).catch((error) => {
    if (error instanceof MillraceError) throw error;
    return undefined;
  });
  if (lacking?.length === 0) return;
  throw new MillraceError(
    "service_unavailable",
    lacking
      ? `The database ${path} was created by an older version of millrace.`
      : `${path} is not a database of millrace.`,
    {
      remedy: lacking
        ? "Start a server with this version on it once to migrate it, stop the server, and try again."
        : "Specify the data folder of the server with --data-dir, or its database with --from.",
    },
  );
}

/** @throws MillraceError when one of the files of a database of SQLite is not there */
export function requireFiles(path: string): void {
  for (const file of [path, transcriptsBeside(path)]) {
    if (existsSync(file)) continue;
    throw new MillraceError("service_unavailable", `The database ${file} does not exist.`, {
      remedy: "Specify the data folder of the server with --data-dir, or its database with --from.",
    });
  }
}

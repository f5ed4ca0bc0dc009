import { existsSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MillraceError } from "../../errors/error.ts";
import { TRANSCRIPT_SCHEMA, transcriptsBeside } from "../runs/transcript-file.ts";
import { migrate, missingSteps } from "../schema/migrate.ts";
import { SCHEMA, type Schema } from "../schema/schema.ts";
import { placeholders } from "../sqlite/database.ts";
import { openSqlite, type SqliteConnection } from "../sqlite/sqlite.ts";
import { createPorts } from "../store.ts";
import { BATCH_BYTES, BATCH_ROWS, type MoveSource, type MoveTarget, sizeOf } from "./movable-store.ts";
import { columnList, type StoredRow, type StoredTable } from "./stored-tables.ts";

/** The two files of a database of SQLite. */
interface SqliteFiles {
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
    await requireCurrent(main, files.main, SCHEMA);
    await requireCurrent(transcripts, files.transcripts, TRANSCRIPT_SCHEMA);
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

function closeFiles({ main, transcripts }: SqliteFiles): void {
  for (const connection of [main, transcripts]) {
    connection.rollback();
    connection.close();
  }
}

/** The rows of a table, some at a time. */
async function* readTable(
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

async function requireCurrent(path: string, connection: SqliteConnection, schema: Schema): Promise<void> {
  const lacking = await missingSteps(connection, schema).catch((error) => {
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

/**
 * Makes a database of SQLite beside its place, where it is put when it is kept. What an earlier one that was not kept has left
 * there is removed; the caller holds the lock of the database.
 * @throws MillraceError `conflict` when there is a database already
 */
export async function newSqlite(path: string, now: Date): Promise<MoveTarget> {
  refuseExisting(path);
  const scratch = `${path}.moving`;
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { mode: 0o700 });
  const draft = join(scratch, basename(path));
  // A commit need not wait for the disk: the files are closed before they are put into place.
  const files: SqliteFiles = {
    main: openSqlite(draft, { sync: "NORMAL" }),
    transcripts: openSqlite(transcriptsBeside(draft), { sync: "NORMAL" }),
  };
  let isOpen = true;
  const close = () => {
    if (isOpen) closeFiles(files);
    isOpen = false;
  };
  await migrate(files.main, now);
  await migrate(files.transcripts, now, TRANSCRIPT_SCHEMA);
  const connectionOf = (table: StoredTable) => (table.isOfTranscripts ? files.transcripts : files.main);
  return {
    ports: createPorts(files.main),
    read: (table) => readTable(files, table),
    lastNumber: async () => 0,
    async clear(table) {
      await connectionOf(table).run(`DELETE FROM "${table.name}"`);
    },
    async write(table, rows) {
      const connection = connectionOf(table);
      const insert = `INSERT INTO "${table.name}" (${columnList(table)}) VALUES (${placeholders(table.columns.length)})`;
      connection.begin();
      for (const row of rows) await connection.run(insert, row);
      connection.commit();
    },
    async setLastNumber({ name, numbered }, last) {
      if (!numbered?.isRemembered) return;
      await files.main.run("DELETE FROM sqlite_sequence WHERE name = $1", [name]);
      await files.main.run("INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)", [name, last]);
    },
    async keep() {
      close();
      for (const file of [transcriptsBeside, (main: string) => main])
        await putInPlace(file(draft), file(path));
    },
    async close() {
      close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

function refuseExisting(path: string): void {
  if (!existsSync(path)) return;
  throw new MillraceError(
    "conflict",
    `The database ${path} already exists, and a move does not overwrite databases.`,
    {
      remedy: "Specify another file, or move that database and its transcripts away first.",
    },
  );
}

/** The file is on the disk before it has its name, and the name before anything else is done. */
async function putInPlace(draft: string, path: string): Promise<void> {
  await synced(draft);
  for (const end of ["-wal", "-shm"]) await rm(path + end, { force: true });
  await rename(draft, path);
  await synced(dirname(path));
}

async function synced(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

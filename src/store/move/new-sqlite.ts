import { existsSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MillraceError } from "../../errors/error.ts";
import { transcriptMigrations, transcriptsBeside } from "../runs/transcript-file.ts";
import { placeholders } from "../sqlite/database.ts";
import { migrate } from "../sqlite/migrate.ts";
import { openSqlite } from "../sqlite/sqlite.ts";
import { createPorts } from "../store.ts";
import { closeFiles, readTable, type SqliteFiles } from "./movable-sqlite.ts";
import type { MoveTarget } from "./movable-store.ts";
import { columnList, type StoredTable } from "./stored-tables.ts";

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
  await migrate(files.transcripts, now, transcriptMigrations);
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

import { existsSync } from "node:fs";
import type { Migration } from "../sqlite/database.ts";
import { migrate } from "../sqlite/migrate.ts";
import type { SqliteConnection } from "../sqlite/sqlite.ts";

/** The schema of the database of transcripts, in steps like the other one's. */
export const transcriptMigrations: readonly Migration[] = [
  {
    name: "001-output",
    sql: `
      CREATE TABLE run_output (
        run_id TEXT NOT NULL,
        seq    INTEGER NOT NULL,
        turn   INTEGER NOT NULL,
        stream TEXT NOT NULL,
        at     TEXT NOT NULL,
        bytes  BLOB NOT NULL,
        PRIMARY KEY (run_id, seq)
      );
    `,
  },
];

/** Where the transcripts of a database are: beside it. */
export function transcriptsBeside(database: string): string {
  return `${database.replace(/\.db$/, "")}-transcripts.db`;
}

/**
 * Brings the database of transcripts up to date, and takes over what the main one had of them before they were apart. It
 * comes before the main one's own steps, which drop that; after a crash in between it is taken over once more.
 */
export async function migrateTranscripts(
  connection: SqliteConnection,
  mainDatabase: string,
  now: Date,
): Promise<void> {
  await migrate(connection, now, transcriptMigrations);
  if (!existsSync(mainDatabase)) return;
  await connection.run("ATTACH DATABASE $1 AS main_database", [mainDatabase]);
  const table = await connection.first(
    "SELECT 1 FROM main_database.sqlite_master WHERE type = 'table' AND name = 'run_output'",
  );
  if (table) {
    await connection.run(
      `INSERT OR IGNORE INTO run_output (run_id, seq, turn, stream, at, bytes)
       SELECT run_id, seq, turn, stream, at, bytes FROM main_database.run_output`,
    );
  }
  connection.execute("DETACH DATABASE main_database");
}

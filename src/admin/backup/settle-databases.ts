import { join } from "node:path";
import { errorMessage, MillraceError } from "../../errors/error.ts";
import { abandonRuns } from "../../store/runs/run-endings.ts";
import { migrateTranscripts } from "../../store/runs/transcript-file.ts";
import { migrate } from "../../store/sqlite/migrate.ts";
import { openSqlite, type SqliteConnection } from "../../store/sqlite/sqlite.ts";
import { MAIN_DATABASE, type Manifest, TRANSCRIPTS } from "./contents.ts";

/**
 * Looks whether restored databases are whole, brings them up to date, and ends the runs in them that may have begun since.
 * @returns how many those are
 * @throws MillraceError when one is damaged, or was made by a newer millrace
 */
export async function settleDatabases(
  folder: string,
  { made_at }: Manifest,
  { keepsWaitingRuns, now }: { keepsWaitingRuns: boolean; now: () => Date },
): Promise<number> {
  const main = join(folder, MAIN_DATABASE);
  await working(TRANSCRIPTS, join(folder, TRANSCRIPTS), (connection) =>
    migrateTranscripts(connection, main, now()),
  );
  return working(MAIN_DATABASE, main, async (connection) => {
    await migrate(connection, now());
    if (keepsWaitingRuns) return 0;
    connection.begin();
    const doubted = await abandonRuns(connection, doubtful(made_at), now().toISOString());
    connection.commit();
    return doubted;
  });
}

async function working<Result>(
  name: string,
  path: string,
  work: (connection: SqliteConnection) => Promise<Result>,
): Promise<Result> {
  let connection: SqliteConnection | undefined;
  try {
    connection = openSqlite(path);
    const [found] = await connection.all<{ integrity_check: string }>("PRAGMA integrity_check(1)");
    if (found?.integrity_check !== "ok") throw new Error(found?.integrity_check ?? "it is empty");
    return await work(connection);
  } catch (error) {
    if (error instanceof MillraceError) throw error;
    throw new MillraceError(
      "service_unavailable",
      `${name} in the backup is damaged: ${errorMessage(error)}.`,
      {
        remedy: "Restore an older backup. Nothing was changed.",
      },
    );
  } finally {
    connection?.close();
  }
}

const doubtful = (madeAt: string) =>
  `The database was restored from a backup of ${madeAt}, in which this run was queued. It may have run since, so it was not started. A follow-up starts another turn.`;

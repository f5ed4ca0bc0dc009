import { access, constants, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { MillraceError } from "../error.ts";
import { reserveOf } from "./disk-reserve.ts";
import { lockFile } from "./sqlite.ts";
import { transcriptsBeside } from "./transcript-file.ts";

/** Where a server keeps what is its own. */
export interface DataFolder {
  path: string;
  database: string;
  git: string;
  /** The repositories of factories that millrace keeps. */
  factories: string;
  workspaces: string;
  artifacts: string;
  /** Disk space that is reserved for the database. */
  reserve: string;
  release(): void;
}

/** What of it lies elsewhere. */
export interface Elsewhere {
  database?: string | undefined;
  workspaces?: string | undefined;
}

/**
 * Makes the data folder, for this user alone, and locks it: one server at a time. A folder that is there already keeps
 * its owner and mode, which somebody has chosen.
 * @throws MillraceError `service_unavailable` when it cannot be made or another server has it
 */
export async function openDataFolder(path: string, elsewhere: Elsewhere = {}): Promise<DataFolder> {
  // Whatever this process makes from now on, the database and the workspaces among it, is for this user alone.
  process.umask(0o077);
  await makeWritable(path, "data folder", "Name another with --data-dir, or let this user write there.");
  const releases = [takeLock(join(path, "lock"), `the data folder ${path}`)];
  // Two folders may name one database, and each server would take the other's runs for lost ones.
  if (elsewhere.database !== undefined)
    releases.push(takeLock(`${elsewhere.database}.lock`, `the database ${elsewhere.database}`));
  // Each of two servers would remove the other's workspaces.
  if (elsewhere.workspaces !== undefined) {
    const remedy = "Name another with MILLRACE_WORKSPACES_DIR, or let this user write there.";
    await makeWritable(elsewhere.workspaces, "workspaces folder", remedy);
    const lock = join(elsewhere.workspaces, "lock");
    releases.push(takeLock(lock, `the workspaces folder ${elsewhere.workspaces}`));
  }
  const database = databaseIn(path, elsewhere.database);
  return {
    path,
    database,
    git: join(path, "git"),
    factories: join(path, "factories"),
    workspaces: elsewhere.workspaces ?? join(path, "workspaces"),
    artifacts: join(path, "artifacts"),
    reserve: reserveOf({ path, database }),
    release() {
      for (const release of releases) release();
    },
  };
}

async function makeWritable(path: string, what: string, remedy: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new MillraceError(
      "service_unavailable",
      `The ${what} ${path} cannot be used: ${(error as Error).message}.`,
      { remedy, cause: error },
    );
  }
}

/** Where the database is: in the data folder, unless the settings say otherwise. */
export function databaseIn(path: string, databaseElsewhere?: string): string {
  return databaseElsewhere ?? join(path, "millrace.db");
}

/** Every file that a server has where its database is. */
export function databaseFiles(database: string): string[] {
  const ofEach = [database, transcriptsBeside(database)].flatMap((path) =>
    ["", "-wal", "-shm"].map((end) => path + end),
  );
  return [...ofEach, `${database}.lock`];
}

function takeLock(file: string, what: string): () => void {
  const release = lockFile(file);
  if (release) return release;
  throw new MillraceError("service_unavailable", `Another millrace serves from ${what}.`, {
    remedy: "Stop it first, or give this one a folder and a database of its own.",
  });
}

import { access, constants, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { MillraceError } from "../error.ts";
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
  release(): void;
}

/**
 * Makes the data folder, for this user alone, and locks it: one server at a time. A folder that is there already keeps
 * its owner and mode, which somebody has chosen.
 * @throws MillraceError `service_unavailable` when it cannot be made or another server has it
 */
export async function openDataFolder(path: string, databaseElsewhere?: string): Promise<DataFolder> {
  // Whatever this process makes from now on, the database and the workspaces among it, is for this user alone.
  process.umask(0o077);
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new MillraceError(
      "service_unavailable",
      `The data folder ${path} cannot be used: ${(error as Error).message}.`,
      {
        remedy: "Name another with --data-dir, or let this user write there.",
        cause: error,
      },
    );
  }
  const releases = [takeLock(join(path, "lock"), `the data folder ${path}`)];
  // Two folders may name one database, and each server would take the other's runs for lost ones.
  if (databaseElsewhere !== undefined) {
    releases.push(takeLock(`${databaseElsewhere}.lock`, `the database ${databaseElsewhere}`));
  }
  return {
    path,
    database: databaseIn(path, databaseElsewhere),
    git: join(path, "git"),
    factories: join(path, "factories"),
    workspaces: join(path, "workspaces"),
    artifacts: join(path, "artifacts"),
    release() {
      for (const release of releases) release();
    },
  };
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

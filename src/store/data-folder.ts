import { access, constants, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { MillraceError } from "../error.ts";
import { lockFile } from "./sqlite.ts";

/** Where a server keeps what is its own. */
export interface DataFolder {
  path: string;
  database: string;
  git: string;
  workspaces: string;
  release(): void;
}

/**
 * Makes the data folder, for this user alone, and locks it: one server at a time. A folder that is there already keeps
 * its owner and mode, which somebody has chosen.
 * @throws MillraceError `service_unavailable` when it cannot be made or another server has it
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
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
  const release = lockFile(join(path, "lock"));
  if (!release) {
    throw new MillraceError("service_unavailable", `Another millrace serves from the data folder ${path}.`, {
      remedy: "Stop it first, or give this one a folder of its own with --data-dir.",
    });
  }
  return {
    path,
    database: join(path, "millrace.db"),
    git: join(path, "git"),
    workspaces: join(path, "workspaces"),
    release,
  };
}

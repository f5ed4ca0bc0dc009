import { existsSync, rmSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import { MillraceError, StoreUnavailable, systemCode } from "../../errors/error.ts";

/** Below this much free space SQLite can fail to write, though the disk is not quite full. */
const FULL_BELOW_BYTES = 4 * 1024 * 1024;
const FULL_BELOW_FILES = 16;

/** Where the disk space lies that is reserved for the store: on the file system of its database. */
export function reserveOf({ path, database }: { path: string; database: string }): string {
  return dirname(database) === path ? join(path, "reserve") : `${database}.reserve`;
}

/** Gives the reserved disk space back to the file system. @returns whether there was any */
export function freeReserve(reserve: string): boolean {
  if (!existsSync(reserve)) return false;
  rmSync(reserve, { recursive: true, force: true });
  return true;
}

/** Whether the file system of a folder has no room left for a write of the store. */
export function isDiskFull(folder: string): boolean {
  const { bavail, bsize, ffree, files } = statfsSync(folder);
  return bavail * bsize < FULL_BELOW_BYTES || (files > 0 && ffree < FULL_BELOW_FILES);
}

/** What the system and SQLite say where nothing can be written any more. */
const NO_SPACE = /^(ENOSPC|EDQUOT|SQLITE_FULL)/;
/** What SQLite says for many reasons, of which a full disk is one. Not among them is what it says of damage. */
const PERHAPS_NO_SPACE = /^SQLITE_(IOERR|CANTOPEN|READONLY)/;

/**
 * What a failed start should say: that the file system of a folder is full, where that is the reason, or else the error itself. SQLite
 * reports a full disk in words that are also those of a damaged database.
 */
export function explainFullDisk(folder: string, error: unknown): unknown {
  const codes = [systemCode(error), error instanceof Error ? systemCode(error.cause) : undefined];
  const isSure = codes.some((code) => code !== undefined && NO_SPACE.test(code));
  const isPossible =
    error instanceof StoreUnavailable || codes.some((code) => code && PERHAPS_NO_SPACE.test(code));
  if (!isSure && !isPossible) return error;
  const existing = nearestExisting(pathOf(error) ?? folder);
  if (!isSure && !isDiskFull(existing)) return error;
  const { bavail, bsize, ffree, files } = statfsSync(existing);
  const inodes = files > 0 ? ` and ${ffree} inodes` : "";
  return new MillraceError(
    "service_unavailable",
    `The disk is full: ${Math.floor((bavail * bsize) / 1024)} KiB${inodes} are free at ${existing}.`,
    {
      remedy:
        "Free disk space or inodes there, raise the quota if there is one, and start again. The database is not known to be damaged.",
      cause: error,
    },
  );
}

/** What could not be written may be on another file system, such as the one of temporary files. */
function pathOf(error: unknown): string | undefined {
  return error instanceof Error && "path" in error && typeof error.path === "string" ? error.path : undefined;
}

function nearestExisting(folder: string): string {
  const parent = dirname(folder);
  return existsSync(folder) || parent === folder ? folder : nearestExisting(parent);
}

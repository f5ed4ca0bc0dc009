import { existsSync, rmSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";

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

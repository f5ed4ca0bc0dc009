import { chmodSync, closeSync, constants, existsSync, fchmodSync, fstatSync, openSync } from "node:fs";
import { systemCode } from "../../error.ts";

/** A folder on the way from the root of a walk to where the walk is. */
export interface Level {
  /** Undefined while it is closed, because the walk is far below it. */
  fd: number | undefined;
  dev: number;
  ino: number;
  name: string;
  /** Folders in it that were not entered yet. */
  waiting: string[];
  /** What it has to be set back to, when its owner could not read it. */
  closedMode?: number;
}

/** Only Linux shows open files by their numbers; elsewhere the paths themselves are used. */
export const HAS_DESCRIPTORS = existsSync("/proc/self/fd");
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Opens what may not be read, to change its mode; Node has no name for it (https://man7.org/linux/man-pages/man2/open.2.html). */
const O_PATH = 0o10000000;
const READABLE = 0o500;

/**
 * Opens a folder without following a link in its place.
 * @param opensClosed whether a folder that its owner, this user, may not read is opened all the same
 * @returns nothing for what is not a folder any more
 */
export function openLevel(at: Buffer, name: string, opensClosed: boolean): Level | undefined {
  try {
    const fd = openSync(at, FOLDER);
    const { dev, ino, mode } = fstatSync(fd);
    const level: Level = { fd, dev, ino, name, waiting: [] };
    return opensClosed && (mode & READABLE) !== READABLE ? openedUp(level, mode) : level;
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return undefined;
    if (code !== "EACCES" || !opensClosed || !HAS_DESCRIPTORS) throw error;
    return openClosed(at, name);
  }
}

function openClosed(at: Buffer, name: string): Level | undefined {
  const handle = openSync(at, FOLDER | O_PATH);
  try {
    const { mode } = fstatSync(handle);
    // Through the open folder: by its path, the mode of something else could be changed.
    chmodSync(`/proc/self/fd/${handle}`, (mode & 0o7777) | READABLE);
    const fd = openSync(`/proc/self/fd/${handle}/.`, FOLDER);
    const { dev, ino } = fstatSync(fd);
    return { fd, dev, ino, name, waiting: [], closedMode: mode & 0o7777 };
  } finally {
    closeSync(handle);
  }
}

function openedUp(level: Level, mode: number): Level {
  if (level.fd !== undefined) fchmodSync(level.fd, (mode & 0o7777) | READABLE);
  return { ...level, closedMode: mode & 0o7777 };
}

/** Goes up one folder, which is opened again through the one below it when it was closed. */
export function leaveLevel(levels: Level[]): void {
  const below = levels.pop();
  const above = levels.at(-1);
  try {
    if (!HAS_DESCRIPTORS || !below || !above || above.fd !== undefined) return;
    above.fd = openSync(`/proc/self/fd/${below.fd}/..`, FOLDER);
    const { dev, ino } = fstatSync(above.fd);
    if (dev !== above.dev || ino !== above.ino)
      throw new Error("A folder was moved while the files in it were read.");
  } finally {
    if (below) endLevel(below);
  }
}

/** Closes a folder for good. */
export function endLevel(level: Level): void {
  if (level.fd === undefined) return;
  if (level.closedMode !== undefined) fchmodSync(level.fd, level.closedMode);
  closeLevel(level);
}

/** Closes a folder to which the walk comes back. */
export function closeLevel(level: Level | undefined): void {
  if (level?.fd !== undefined) closeSync(level.fd);
  if (level) level.fd = undefined;
}

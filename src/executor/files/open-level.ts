import { chmodSync, closeSync, constants, existsSync, fchmodSync, fstatSync, openSync } from "node:fs";
import { systemCode } from "../../errors/error.ts";

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
/**
 * Opens what may not be read, to change its mode; Node has no name for it
 * (https://man7.org/linux/man-pages/man2/open.2.html).
 */
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

/**
 * Goes up one folder, which is opened again through the one below it when it was closed. When that one was moved out of
 * it, its place is lost: the walk is back at the nearest folder that was kept open.
 * @returns whether the place was found again
 */
export function leaveLevel(levels: Level[]): boolean {
  const below = levels.pop();
  const above = levels.at(-1);
  try {
    if (!HAS_DESCRIPTORS || !below || !above || above.fd !== undefined) return true;
    above.fd = openAbove(below, above);
    if (above.fd !== undefined) return true;
    while (levels.length > 0 && levels.at(-1)?.fd === undefined) levels.pop();
    return false;
  } finally {
    if (below) endLevel(below);
  }
}

/** @returns nothing when what is above it now is another folder, of which nothing may be changed */
function openAbove(below: Level, { dev, ino }: Level): number | undefined {
  const fd = openSync(`/proc/self/fd/${below.fd}/..`, FOLDER);
  const found = fstatSync(fd);
  if (found.dev === dev && found.ino === ino) return fd;
  closeSync(fd);
  return undefined;
}

/** Closes a folder permanently. */
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

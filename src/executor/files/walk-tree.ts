import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  type Stats,
} from "node:fs";
import { systemCode } from "../../errors/error.ts";

/** A file or folder below the folder that is walked. */
export interface WalkedEntry {
  /** Leads to the entry until the next one is visited, for calls that do not follow a link at the end of a path. */
  at: Buffer;
  stat: Stats;
  /** How many folders lie between it and the folder that is walked. */
  depth: number;
  /** Names from the folder that is walked down to this entry, one character a byte: they need not be UTF-8. */
  names(): string[];
}

export interface WalkOptions {
  /** Visits an entry, a folder before what is in it. @returns false to stay out of a folder */
  visit(entry: WalkedEntry): unknown;
  /** Whether folders that their owner, this user, may not read are opened all the same; they get their mode back. */
  opensClosed?: boolean;
  /**
   * Called when folders are left out, because the one that the walk was in was moved; without it, the walk ends with an
   * error.
   */
  onLost?(): void;
}

/** So many folders from the root down are held open for as long as the walk is in them: a move there loses nothing. */
const KEPT_LEVELS = 96;
/** So many of the folders right above are held open, too. */
const OPEN_LEVELS = 32;
const LISTED_AT_ONCE = 256;

/**
 * Walks a folder with all in it, one entry a step. Folders are opened one by one without following links, so the walk
 * never leaves the tree, and the tree may be deeper than a path can be long. What disappears in the meantime is passed
 * over, and other file systems are not entered.
 * @throws Error when a folder far down was moved, and no one wants the rest without it
 */
export function* walkTree(
  root: string,
  { visit, opensClosed = false, onLost = refuseMove }: WalkOptions,
): Generator<void, void> {
  const levels: Level[] = [];
  const top = openLevel(Buffer.from(root), "", opensClosed);
  if (!top) return;
  try {
    yield* enter(top);
    for (let level: Level | undefined = top; level; level = levels.at(-1)) {
      const name = level.waiting.pop();
      const below = name === undefined ? undefined : openLevel(pathOf(name), name, opensClosed);
      if (name === undefined) {
        if (!leaveLevel(levels)) onLost();
      } else if (below?.dev === top.dev) yield* enter(below);
      else if (below) endLevel(below);
    }
  } finally {
    for (const level of levels) endLevel(level);
  }

  /** Visits what is in a folder; folders in it are entered later, so that one listing at a time is open. */
  function* enter(level: Level): Generator<void, void> {
    levels.push(level);
    if (levels.length > KEPT_LEVELS + OPEN_LEVELS) closeLevel(levels.at(-1 - OPEN_LEVELS));
    const folder = opendirSync(pathOf("."), { encoding: "latin1", bufferSize: LISTED_AT_ONCE });
    try {
      for (let entry = folder.readSync(); entry; entry = folder.readSync()) {
        if (visited(entry.name)) level.waiting.push(entry.name);
        yield;
      }
    } finally {
      folder.closeSync();
    }
  }

  /** @returns whether it is a folder to be entered */
  function visited(name: string): boolean {
    const at = pathOf(name);
    const stat = statOf(at);
    if (stat?.dev !== top?.dev || !stat) return false;
    const names = () => [...levels.slice(1).map((level) => level.name), name];
    const isEntered = visit({ at, stat, depth: levels.length - 1, names }) !== false;
    return isEntered && stat.isDirectory();
  }

  function pathOf(name: string): Buffer {
    const above = HAS_DESCRIPTORS
      ? [`/proc/self/fd/${levels.at(-1)?.fd}`]
      : [Buffer.from(root).toString("latin1"), ...levels.slice(1).map((level) => level.name)];
    return Buffer.from([...above, name].join("/"), "latin1");
  }
}

function refuseMove(): never {
  throw new Error("A folder was moved while its files were being read.");
}

function statOf(at: Buffer): Stats | undefined {
  try {
    return lstatSync(at);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** A folder on the way from the root of a walk to where the walk is. */
interface Level {
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
function openLevel(at: Buffer, name: string, opensClosed: boolean): Level | undefined {
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
function leaveLevel(levels: Level[]): boolean {
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
function endLevel(level: Level): void {
  if (level.fd === undefined) return;
  if (level.closedMode !== undefined) fchmodSync(level.fd, level.closedMode);
  closeLevel(level);
}

/** Closes a folder to which the walk comes back. */
function closeLevel(level: Level | undefined): void {
  if (level?.fd !== undefined) closeSync(level.fd);
  if (level) level.fd = undefined;
}

import { lstatSync, opendirSync, type Stats } from "node:fs";
import { systemCode } from "../../errors/error.ts";
import { closeLevel, endLevel, HAS_DESCRIPTORS, type Level, leaveLevel, openLevel } from "./open-level.ts";

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

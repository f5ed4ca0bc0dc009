import { lstatSync, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { walkTree } from "./walk-tree.ts";

/** What a folder takes of its file system. */
export interface Usage {
  bytes: number;
  /** Files, folders and everything else that has a name. */
  files: number;
  /** How much of the bytes is in files that have no name any more and that a process of the run holds open. */
  unlinkedBytes: number;
  /** Whether there is more, which could not be counted because folders were moved in the meantime. */
  isPartial?: boolean;
}

export interface CountOptions {
  folder: string;
  /** More folders, of which files that are counted already are not counted again. */
  also?: readonly string[];
  /** The run that works in it, whose processes may hold files without a name. */
  runId?: string | undefined;
  /** Counting ends as soon as one of them is passed; 0 for no limit. */
  limits?: { bytes: number; files: number };
}

const BLOCK_BYTES = 512;
/** Files with several names that are remembered, so that each is counted once; beyond, some are counted twice. */
const MAX_REMEMBERED = 1_000_000;

/** Counts what folders take of the disk, as that of a run, each file once however many names it has. */
export function* countUsage({ folder, also = [], runId, limits }: CountOptions): Generator<void, Usage> {
  const usage: Usage = { bytes: 0, files: 0, unlinkedBytes: 0 };
  const seenOn = new Map<number, Set<number>>();
  const isOver = () =>
    limits !== undefined &&
    ((limits.bytes > 0 && usage.bytes > limits.bytes) || (limits.files > 0 && usage.files > limits.files));

  /** @returns whether it is the first time; the numbers of files are those of their volume */
  function see({ dev, ino }: Pick<Stats, "dev" | "ino">): boolean {
    const seen = seenOn.get(dev) ?? new Set();
    seenOn.set(dev, seen);
    if (seen.has(ino)) return false;
    if (seen.size < MAX_REMEMBERED) seen.add(ino);
    return true;
  }

  function add(stat: Stats): void {
    usage.files += 1;
    if (stat.nlink > 1 && !stat.isDirectory() && !see(stat)) return;
    usage.bytes += stat.blocks * BLOCK_BYTES;
  }

  if (runId !== undefined) {
    const { dev, uid } = lstatSync(folder);
    for (const { ino, bytes } of yield* unlinkedFiles({ runId, dev, uid })) {
      if (!see({ dev, ino })) continue;
      usage.files += 1;
      usage.unlinkedBytes += bytes;
      usage.bytes += bytes;
    }
  }
  const onLost = () => {
    usage.isPartial = true;
  };
  for (const each of [folder, ...also]) {
    for (const step of walkTree(each, { opensClosed: true, visit: ({ stat }) => add(stat), onLost })) {
      if (isOver()) return usage;
      yield step;
    }
  }
  return usage;
}

/** A file that has no name any more, and takes its room until the last process lets go of it. */
export interface UnlinkedFile {
  ino: number;
  bytes: number;
}

/** Finds the files without a name on one file system that processes of a run hold open or have mapped into their memory. */
function* unlinkedFiles({ dev, ...marks }: RunMarks & { dev: number }): Generator<void, UnlinkedFile[]> {
  const found = new Map<number, number>();
  const add = (stat: Stats | undefined) => {
    if (stat?.isFile() && stat.nlink === 0 && stat.dev === dev)
      found.set(stat.ino, stat.blocks * BLOCK_BYTES);
  };
  for (const pid of runProcesses(marks)) {
    // Each thread can have open files of its own.
    for (const thread of listNumbers(`/proc/${pid}/task`)) {
      const folder = `/proc/${pid}/task/${thread}/fd`;
      for (const fd of listNumbers(folder)) {
        add(statOf(`${folder}/${fd}`));
        yield;
      }
    }
    for (const range of unlinkedRanges(pid)) {
      add(statOf(`/proc/${pid}/map_files/${range}`));
      yield;
    }
  }
  return [...found].map(([ino, bytes]) => ({ ino, bytes }));
}

/** Where a process has files without a name in its memory; their names then end so (https://man7.org/linux/man-pages/man5/proc_pid_maps.5.html). */
function unlinkedRanges(pid: number): string[] {
  try {
    const maps = readFileSync(`/proc/${pid}/maps`, "latin1").split("\n");
    return maps.flatMap((line) => (line.endsWith(" (deleted)") ? [line.slice(0, line.indexOf(" "))] : []));
  } catch {
    return [];
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** How the processes of a run are known. */
interface RunMarks {
  runId: string;
  /** The user of the run; that of the server where runs have none of their own. */
  uid: number;
}

interface Seen {
  pid: number;
  parent: number;
  uid: number;
}

/** Looking at every process costs some milliseconds; runs that are counted together share one look. */
const SHARED_FOR_MS = 1_000;
let last: { at: number; seen: Seen[] } | undefined;

/**
 * The processes of a run: those of its user, those that have inherited its id, and all that descend from one of these.
 * The processes of a namespace all descend from its first one, whatever they do to their environment. None where there
 * is no /proc.
 */
function runProcesses({ runId, uid }: RunMarks): number[] {
  const seen = listSeen();
  const mark = `MILLRACE_RUN_ID=${runId}\0`;
  const hasOwnUser = uid !== process.getuid?.();
  const own = new Set<number>();
  for (const each of seen)
    if (hasOwnUser ? each.uid === uid : read(`/proc/${each.pid}/environ`).includes(mark)) own.add(each.pid);
  // A parent may have a higher number than its child.
  for (let before = -1; before !== own.size; ) {
    before = own.size;
    for (const { pid, parent } of seen) if (own.has(parent)) own.add(pid);
  }
  return [...own];
}

function listSeen(): Seen[] {
  const at = performance.now();
  if (last && at - last.at < SHARED_FOR_MS) return last.seen;
  const seen = listNumbers("/proc").flatMap((pid) => seenAs(pid) ?? []);
  last = { at, seen };
  return seen;
}

function seenAs(pid: number): Seen | undefined {
  const status = read(`/proc/${pid}/status`);
  const parent = /^PPid:\s+(\d+)$/m.exec(status)?.[1];
  const uid = /^Uid:\s+(\d+)\s/m.exec(status)?.[1];
  if (parent === undefined || uid === undefined) return undefined;
  return { pid, parent: Number(parent), uid: Number(uid) };
}

/** The entries of a folder of /proc that are numbers; none when it is gone or someone else's. */
function listNumbers(folder: string): number[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Empty for a process that has ended, or that belongs to someone else. */
function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

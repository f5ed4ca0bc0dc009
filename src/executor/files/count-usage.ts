import type { Stats } from "node:fs";
import { lstatSync } from "node:fs";
import { unlinkedFiles } from "./unlinked-files.ts";
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

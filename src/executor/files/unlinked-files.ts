import { readFileSync, type Stats, statSync } from "node:fs";
import { listNumbers, type RunMarks, runProcesses } from "./run-processes.ts";

/** A file that has no name any more, and takes its room until the last process lets go of it. */
export interface UnlinkedFile {
  ino: number;
  bytes: number;
}

const BLOCK_BYTES = 512;

/** Finds the files without a name on one file system that processes of a run hold open or have mapped into their memory. */
export function* unlinkedFiles({
  dev,
  ...marks
}: RunMarks & { dev: number }): Generator<void, UnlinkedFile[]> {
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

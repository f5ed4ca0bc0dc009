import { readdirSync, readFileSync } from "node:fs";

/** How the processes of a run are known. */
export interface RunMarks {
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
export function runProcesses({ runId, uid }: RunMarks): number[] {
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
export function listNumbers(folder: string): number[] {
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

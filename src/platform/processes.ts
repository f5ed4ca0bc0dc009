import { readdirSync, readFileSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { sharedWork } from "../concurrency/shared-work.ts";

const ROUNDS = 5;
const BETWEEN_ROUNDS_MS = 20;
/** So many processes are looked at in one turn of the event loop: a read of /proc takes microseconds, a turn does too. */
const IN_ONE_TURN = 16;

/** A process that has not ended, as /proc shows it. */
export interface SeenProcess {
  pid: number;
  /** The user that it runs as; its folder may show another, for one that may not be traced. */
  uid: number;
  /** What it was started with; empty where that may not be read. */
  environment: Buffer;
}

/**
 * Ends every process that has inherited a variable with this value, wherever it stands in the tree. Does nothing where
 * there is no /proc.
 * @returns whether none was found any more in the end
 */
export async function killTagged(name: string, value: string): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = (await listProcesses()).filter(isTagged(name, value));
    if (found.length === 0) return true;
    for (const { pid } of found) killQuietly(pid);
    await sleep(BETWEEN_ROUNDS_MS);
  }
  return false;
}

/** Whether a process has inherited a variable with this value. */
export function isTagged(name: string, value: string): (process: SeenProcess) => boolean {
  const mark = Buffer.from(`${name}=${value}\0`);
  return ({ environment }) => environment.includes(mark);
}

/** Every process but this one, also for all who ask in the meantime; none where there is no /proc. */
export function listProcesses(): Promise<SeenProcess[]> {
  return look(new AbortController().signal);
}

const look = sharedWork(async () => {
  const seen: SeenProcess[] = [];
  for (const [index, pid] of listPids().entries()) {
    if (index % IN_ONE_TURN === IN_ONE_TURN - 1) await nextTurn();
    const status = read(`/proc/${pid}/status`).toString("latin1");
    const uid = /^Uid:\s+(\d+)\s/m.exec(status)?.[1];
    if (uid === undefined || /^State:\s+[ZX]/m.test(status)) continue;
    seen.push({ pid, uid: Number(uid), environment: read(`/proc/${pid}/environ`) });
  }
  return seen;
});

function listPids(): number[] {
  try {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.map(Number).filter((pid) => pid !== process.pid);
  } catch {
    return [];
  }
}

/** Empty for a process that has ended in the meantime, or that belongs to someone else. */
function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}

/** Ends a process, if it has not ended in the meantime. */
export function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended in the meantime.
  }
}

/**
 * Lets others go before a process, and on Linux before one thread of it. A niceness that is higher already stays: to lower it takes
 * a privilege, and whoever has started the server has chosen it.
 * @param of the number of a process; without one, what calls this
 */
export function lowerPriority(of = 0): void {
  const niceness = constants.priority.PRIORITY_BELOW_NORMAL;
  try {
    if (getPriority(of) < niceness) setPriority(of, niceness);
  } catch {
    // It has ended already, or a sandbox forbids it, and it is only a courtesy.
  }
}

/**
 * Lets the threads that answer requests go before this one. On systems other than Linux the priority is that of the whole
 * process, so it stays.
 */
export function lowerPriorityOfThread(): void {
  if (process.platform === "linux") lowerPriority();
}

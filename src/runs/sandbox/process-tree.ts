import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { systemCode } from "../../error.ts";

/** Sends a signal to every process of a group. @returns whether there was one */
export function signalGroup(groupId: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch (error) {
    if (systemCode(error) === "ESRCH" || systemCode(error) === "EPERM") return false;
    throw error;
  }
}

const KILL_ROUNDS = 5;
const BETWEEN_ROUNDS_MS = 50;

/**
 * Ends whatever of a run is still alive, found by the run's id in the environment that its processes inherited: also
 * what has left its process group, and what an earlier server process had started. A process that wiped its own
 * environment is not found. Does nothing where there is no /proc.
 */
export async function killLeftovers(runId: string): Promise<void> {
  const mark = Buffer.from(`MILLRACE_RUN_ID=${runId}\0`);
  for (let round = 0; round < KILL_ROUNDS; round += 1) {
    const found = await findProcesses(mark);
    if (found.length === 0) return;
    for (const pid of found) killQuietly(pid);
    await sleep(BETWEEN_ROUNDS_MS);
  }
}

async function findProcesses(mark: Buffer): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const marked: number[] = [];
  for (const pid of pids) {
    if (pid === process.pid) continue;
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => undefined);
    if (environment?.includes(mark)) marked.push(pid);
  }
  return marked;
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

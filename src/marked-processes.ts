import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const ROUNDS = 5;
const BETWEEN_ROUNDS_MS = 20;

/**
 * Ends every process that has inherited a variable with this value, wherever it stands in the tree. Does nothing where
 * there is no /proc.
 */
export async function killMarked(name: string, value: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = await findMarked(name, value);
    if (found.length === 0) return;
    for (const pid of found) killQuietly(pid);
    await sleep(BETWEEN_ROUNDS_MS);
  }
}

/** The processes that have inherited a variable with this value. */
export async function findMarked(name: string, value: string): Promise<number[]> {
  const mark = Buffer.from(`${name}=${value}\0`);
  const found: number[] = [];
  for (const pid of await listProcesses()) {
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => undefined);
    if (environment?.includes(mark)) found.push(pid);
  }
  return found;
}

/** Every process but this one; none where there is no /proc. */
export async function listProcesses(): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  return names
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid);
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

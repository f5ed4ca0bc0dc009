import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const ROUNDS = 5;
const BETWEEN_ROUNDS_MS = 20;

/**
 * Ends every process that has inherited a variable with this value, wherever it stands in the tree. Does nothing where
 * there is no /proc.
 */
export async function killMarked(name: string, value: string): Promise<void> {
  const mark = Buffer.from(`${name}=${value}\0`);
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = await findMarked(mark);
    if (found.length === 0) return;
    for (const pid of found) killQuietly(pid);
    await sleep(BETWEEN_ROUNDS_MS);
  }
}

async function findMarked(mark: Buffer): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  const found: number[] = [];
  for (const pid of names.filter((name) => /^\d+$/.test(name)).map(Number)) {
    if (pid === process.pid) continue;
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => undefined);
    if (environment?.includes(mark)) found.push(pid);
  }
  return found;
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What the clock began with. */
const FILE = "steady-clock";

/**
 * A clock that nobody sets, for instants that are stored and compared by later processes. It begins with the time of the machine,
 * and goes on with the kernel's monotonic clock, which all processes share until the machine is started again. What it began with
 * is kept in a folder: a process that began anew would be ahead or behind by all that the time was set since.
 */
export function steadyClock(folder: string): () => Date {
  const boot = bootId();
  const began = beganBefore(folder, boot) ?? Date.now() - elapsedMs();
  try {
    const file = join(folder, FILE);
    writeFileSync(`${file}.new`, JSON.stringify({ boot, began }), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // A full disk has its own message. Without the file, the next process begins anew.
  }
  return () => new Date(began + elapsedMs());
}

function beganBefore(folder: string, boot: string | undefined): number | undefined {
  if (boot === undefined) return undefined;
  try {
    const kept = JSON.parse(readFileSync(join(folder, FILE), "utf8"));
    return kept.boot === boot && Number.isSafeInteger(kept.began) ? kept.began : undefined;
  } catch {
    return undefined;
  }
}

/** Of Linux: elsewhere, each process begins anew. */
function bootId(): string | undefined {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return undefined;
  }
}

/** CLOCK_MONOTONIC, in whole milliseconds. */
function elapsedMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

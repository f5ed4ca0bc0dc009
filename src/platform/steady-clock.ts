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
  const file = join(folder, FILE);
  const boot = bootId();
  const began = beganBefore(file, boot) ?? beginNow(file, boot);
  return () => new Date(began + elapsedMs());
}

function beginNow(file: string, boot: string | undefined): number {
  const began = Date.now() - elapsedMs();
  try {
    writeFileSync(`${file}.new`, JSON.stringify({ boot, began }), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // A full disk has its own message. Without the file, the next process begins anew.
  }
  return began;
}

function beganBefore(file: string, boot: string | undefined): number | undefined {
  if (boot === undefined) return undefined;
  try {
    const kept = JSON.parse(readFileSync(file, "utf8"));
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

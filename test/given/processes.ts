import { readFileSync } from "node:fs";

/** Whether a process still runs; one that has ended and only waits to be noticed by its parent does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

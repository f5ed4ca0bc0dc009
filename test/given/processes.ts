import { readFileSync } from "node:fs";

/** Whether a process still runs: one that has no memory any more has ended, whether its parent has noticed or not. */
export function isRunning(pid: number): boolean {
  try {
    return /^VmSize:/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

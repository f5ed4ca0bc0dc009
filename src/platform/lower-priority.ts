import { constants, setPriority } from "node:os";

/**
 * Lets the threads that answer requests go before this one. On systems other than Linux the priority is that of the whole
 * process, so it stays.
 */
export function lowerPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A sandbox may forbid it, and it is only a courtesy.
  }
}

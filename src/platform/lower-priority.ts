import { constants, getPriority, setPriority } from "node:os";

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

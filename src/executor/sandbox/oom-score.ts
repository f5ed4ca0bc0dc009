import { writeFileSync } from "node:fs";

/**
 * When there is no more memory, on the machine or for the service, the kernel kills the program with the highest score
 * (proc_pid_oom_score_adj(5)): an agent, and neither the server nor what else the machine is there for.
 */
export const AGENT_OOM_SCORE = 500;

/** Has the kernel prefer a program that was just started, and what it starts. Elsewhere than on Linux, there is nothing to do so. */
export function preferAsVictim(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(AGENT_OOM_SCORE));
  } catch {
    // It has ended; or the server's own score is higher, which everything that it starts has too.
  }
}

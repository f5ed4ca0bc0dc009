import type { EndedMember } from "../../runs/rules/family.ts";
import type { RunDeps } from "./run-deps.ts";

/**
 * Tells those who count and execute runs that the end of one was asked for. Whatever ends runs from outside calls this for
 * each of them: a cancellation, a dismissal, and the end of a family or of a task.
 * @param state the state that the run was in
 */
export function tellEnd(
  { run, state }: EndedMember,
  { queue, meter }: Pick<RunDeps, "queue" | "meter">,
): void {
  // A run that a worker has is counted when its agent is gone.
  if (state === "QUEUED" || !run.isLeased) meter.ended(run, "CANCELLED", undefined);
  queue.cancel(run.id);
  // Its end may have begun the next turn of a run that waited for it.
  queue.wake();
}

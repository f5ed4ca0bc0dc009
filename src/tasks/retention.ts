import { inBatches } from "../concurrency/periodic-jobs.ts";
import type { TaskStore } from "./task.ts";

/** Forgets tasks that were closed or deleted long ago, once their runs are forgotten. */
export function forgetTasks(
  { store, keepMs, now }: { store: Pick<TaskStore, "forget">; keepMs: number; now: () => Date },
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(now().getTime() - keepMs).toISOString();
  return inBatches((limit) => store.forget(before, limit), signal);
}

import { inBatches } from "../concurrency/periodic-jobs.ts";
import type { WorkerStore } from "./worker.ts";

/** Whoever looks why a worker is away finds its last processes for an hour. */
const KEPT_MS = 60 * 60_000;

/** Forgets processes of workers that have not been seen for long; the last one of each worker stays. */
export async function pruneProcesses(
  { store, now }: { store: Pick<WorkerStore, "pruneProcesses">; now: () => Date },
  signal?: AbortSignal,
): Promise<void> {
  const seenBefore = new Date(now().getTime() - KEPT_MS).toISOString();
  await inBatches((limit) => store.pruneProcesses(seenBefore, limit), signal);
}

import type { Queue } from "../runs/queue.ts";
import type { WorkerTurns } from "../workers/worker-turns.ts";

/** One queue for the runs that execute here and for those of workers elsewhere: what concerns a run is told to both. */
export function withWorkers(local: Queue, workers: WorkerTurns): Queue & Pick<WorkerTurns, "lookForNews"> {
  return {
    ...local,
    wake() {
      local.wake();
      workers.wake();
    },
    notify(runId) {
      local.notify(runId);
      workers.lookForNews();
    },
    cancel(runId) {
      local.cancel(runId);
      workers.cancel(runId);
    },
    lookForNews: workers.lookForNews,
    async whyWaiting(runId, within) {
      const place = await local.whyWaiting(runId, within);
      const starter = workers.starterOf(runId);
      return place && (starter ? { ...place, starter } : place);
    },
  };
}

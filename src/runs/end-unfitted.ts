import { inBatches } from "../concurrency/periodic-jobs.ts";
import { DEFAULT_PLACEMENT, demandText, fits, type PlacementWorker } from "./rules/placement.ts";
import type { RunStore } from "./run-store.ts";

export interface UnfittedDeps {
  store: Pick<RunStore, "listQueuedPlacements" | "endUnfitted">;
  /** Whether this server executes the runs that name no worker. */
  isExecuting: boolean;
  connectedWorkers: () => readonly PlacementWorker[];
  /** How long runs wait; 0 is without a limit. */
  maxWait: { ms: number; text: string };
  /** Runs that waited for one that was ended may go on. */
  onEnded(): void;
  now: () => Date;
}

/**
 * Ends the runs that have waited too long for a worker that they could execute on. A worker that was connected at the
 * round before counts as well, and the first round ends nothing: workers connect again after a restart of the server, and
 * after a break of their link.
 * @returns one round
 */
export function endUnfitted({ store, isExecuting, connectedWorkers, maxWait, onEnded, now }: UnfittedDeps) {
  let before: readonly PlacementWorker[] | undefined;

  return async function round(signal?: AbortSignal): Promise<void> {
    const connected = connectedWorkers();
    const recent = before && [...before, ...connected];
    before = connected;
    if (!recent || maxWait.ms === 0) return;
    const at = now();
    const queuedBefore = new Date(at.getTime() - maxWait.ms).toISOString();
    for (const placement of await store.listQueuedPlacements()) {
      if (isExecuting && placement === DEFAULT_PLACEMENT) continue;
      const fitting = recent.filter((worker) => fits(placement, worker));
      if (fitting.some(({ factories }) => factories === null)) continue;
      const exceptFactories = [...new Set(fitting.flatMap(({ factories }) => factories ?? []))];
      const message = unfittedMessage(placement, maxWait.text);
      const runs = { placement, exceptFactories, queuedBefore, message };
      await inBatches(async (limit) => {
        const ended = await store.endUnfitted(runs, limit, at.toISOString());
        if (ended > 0) onEnded();
        return ended;
      }, signal);
    }
  };
}

function unfittedMessage(placement: string, limit: string): string {
  const wanted = ["worker", demandText(placement)].filter((part) => part !== "").join(" ");
  return (
    `The run waited longer than ${limit} (MILLRACE_WORKER_MAX_WAIT), and no ${wanted} that may execute runs of its ` +
    "factory was connected. Start such a worker, or change workerHost or the runner, and send a follow-up or run it again."
  );
}

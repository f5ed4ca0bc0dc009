import {
  type ClaimReach,
  DEFAULT_PLACEMENT,
  fits,
  mayExecute,
  type PlacementWorker,
  placementsFor,
} from "../runs/rules/placement.ts";
import type { Run } from "../runs/run.ts";
import { effectiveLabels } from "./rules/worker-standing.ts";
import type { ProcessFacts, Worker } from "./worker.ts";

/** Which runs a process of a worker could have. */
export interface WorkerReach {
  mayHave(run: Pick<Run, "placement" | "factoryUid">): boolean;
  /** What it can claim of the runs with these placements. */
  among(queued: readonly string[]): ClaimReach;
}

export function workerReach(
  worker: Worker,
  facts: ProcessFacts,
  { isServerExecuting }: { isServerExecuting: boolean },
): WorkerReach {
  const candidate: PlacementWorker = { ...facts, ...worker, labels: effectiveLabels(worker, facts) };
  return {
    mayHave: ({ placement, factoryUid }) =>
      (placement !== DEFAULT_PLACEMENT || !isServerExecuting) &&
      fits(placement, candidate) &&
      mayExecute(factoryUid, candidate),
    among: (queued) => ({
      placements: placementsFor(candidate, queued, { isServerExecuting }),
      factories: worker.factories,
    }),
  };
}

import type { PeriodicJob } from "../concurrency/periodic-jobs.ts";
import type { Config } from "../config/config.ts";
import { endUnfitted, type UnfittedDeps } from "../runs/end-unfitted.ts";
import { formatDuration } from "../time/duration.ts";

/** Ends runs that have waited too long for a worker, as the settings say. */
export function longestWaitJob(
  { workers, workerMaxWait: ms }: Pick<Config, "workers" | "workerMaxWait">,
  deps: Omit<UnfittedDeps, "isExecuting" | "maxWait">,
): PeriodicJob {
  const maxWait = { ms, text: formatDuration(ms) };
  return {
    about: "runs that no worker fits",
    isForLeader: true,
    prune: endUnfitted({ ...deps, isExecuting: workers === "local", maxWait }),
  };
}

import type { Leadership } from "../concurrency/leadership.ts";
import { startPeriodicJobs } from "../concurrency/periodic-jobs.ts";
import type { Config } from "../config/config.ts";
import type { Workspaces } from "../executor/workspace/workspaces.ts";
import type { Log } from "../log.ts";
import type { IdentityKeys } from "../oidc/identity-keys.ts";
import type { Queue } from "../runs/queue.ts";
import type { Store } from "../store/store.ts";
import type { Workers } from "../workers/workers.ts";
import { longestWaitJob } from "./longest-wait-job.ts";
import { retentionJobs } from "./retention-jobs.ts";

interface JobDeps {
  config: Config;
  store: Store;
  identityKeys: Pick<IdentityKeys, "rotate">;
  workspaces: Workspaces;
  onDisk: Parameters<typeof retentionJobs>[2];
  registry: Pick<Workers, "connected">;
  queue: Pick<Queue, "wake">;
  leadership: Leadership;
  log: Log;
  now: () => Date;
}

/**
 * Starts what is done every few minutes: deleting what is old, ending what has waited too long, and replacing keys.
 * @returns what ends it
 */
export function startJobs(deps: JobDeps): () => Promise<void> {
  const { config, store, identityKeys, workspaces, onDisk, registry, queue, leadership, log, now } = deps;
  const waiting = {
    store: store.runs,
    connectedWorkers: registry.connected,
    onEnded: queue.wake,
    now,
  };
  const jobs = [
    ...retentionJobs(store, workspaces, onDisk, config, now),
    longestWaitJob(config, waiting),
    { about: "the keys that sign identity tokens", isForLeader: true, prune: identityKeys.rotate },
  ];
  return startPeriodicJobs(jobs, leadership, log);
}

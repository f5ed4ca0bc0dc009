import type { Models } from "../../client/typed-paths.ts";
import type { RunOfWorker } from "../../runs/rules/remote-worker.ts";
import { effectiveLabels, type WorkerStanding } from "../../workers/rules/worker-standing.ts";
import type { Worker, WorkerProcess } from "../../workers/worker.ts";
import { creatorInfo } from "../runs/run-item.ts";

/** The runs of a worker that are listed at most; `executing` counts all of them. */
const MAX_RUNS = 100;

/**
 * A worker as the API shows it, with the load of its connected processes added up.
 * @param runs those that all workers have
 */
export function workerView(
  { worker, state, connected, last }: WorkerStanding,
  runs: readonly RunOfWorker[],
): Models["Worker"] {
  return {
    id: worker.id,
    name: worker.name,
    state,
    ...reportedView(worker, last),
    granted_labels: worker.labels,
    factories: worker.factories,
    prefix: worker.prefix,
    created_by: creatorInfo(worker.createdBy),
    created_at: worker.createdAt,
    draining_since: worker.drainingSince,
    connected_at: connected[0]?.connectedAt ?? null,
    last_seen_at: last?.seenAt ?? null,
    concurrency: sum(connected.map(({ concurrency }) => concurrency)),
    executing: sum(connected.map(({ executing }) => executing)),
    runs: runs
      .filter(({ workerId }) => workerId === worker.id)
      .slice(0, MAX_RUNS)
      .map(({ id, title, process }) => ({ run_id: id, title, process })),
    processes: connected.map((process) => processView(worker, process)),
  };
}

/** The connected processes by the name of their worker, which is the pool. */
export function connectedHosts(standings: readonly WorkerStanding[]): Models["ConnectedWorker"][] {
  const names = new Set(
    standings.filter(({ connected }) => connected.length > 0).map(({ worker }) => worker.name),
  );
  return [...names].map((name) => {
    const processes = standings
      .filter(({ worker }) => worker.name === name)
      .flatMap((each) => each.connected);
    return {
      worker_host: name,
      connection_count: processes.length,
      connected_at: processes.map(({ connectedAt }) => connectedAt).sort()[0] ?? "",
      last_seen_at:
        processes
          .map(({ seenAt }) => seenAt)
          .sort()
          .at(-1) ?? "",
    };
  });
}

function processView(worker: Worker, process: WorkerProcess): Models["WorkerProcess"] {
  return {
    uid: process.uid,
    ...reportedView(worker, process),
    concurrency: process.concurrency,
    executing: process.executing,
    connected_at: process.connectedAt,
    last_seen_at: process.seenAt,
  };
}

function reportedView(worker: Worker, process: WorkerProcess | undefined) {
  const shape = process?.shape ?? null;
  return {
    labels: effectiveLabels(worker, process),
    version: process?.version ?? null,
    platform: process?.platform ?? null,
    shape: shape && { vcpus: shape.vcpus, memory_gb: shape.memoryGb },
    sandbox: process?.sandbox ?? null,
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

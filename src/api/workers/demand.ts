import type { Models } from "../../client/typed-paths.ts";
import { canonicalWorkerHost, workerHostProblem } from "../../definitions/worker-host.ts";
import { DEFAULT_PLACEMENT, type Demand, demandsOf } from "../../runs/rules/placement.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { type Endpoints, unlimitedKeyOf } from "../http/endpoint.ts";
import { invalidField } from "../runs/start/agent-config-check.ts";

export interface WorkerDemandDeps {
  runs: Pick<RunStore, "listDemand">;
  now: () => Date;
}

/** What waiting and executing runs demand of workers. The counts are of the whole server. */
export function workerDemandEndpoints({ runs, now }: WorkerDemandDeps) {
  return {
    getWorkerDemand: {
      async handle(request) {
        unlimitedKeyOf(request);
        const { worker_host: asked } = request.query;
        const wrong = asked === undefined ? undefined : workerHostProblem(asked);
        if (wrong !== undefined) throw invalidField("worker_host", wrong);
        const host = asked === undefined ? undefined : canonicalWorkerHost(asked);
        const at = now();
        const demands = (await runs.listDemand())
          .filter(({ placement }) => host === undefined || hostOf(placement) === host)
          .map((demand) => viewOf(demand, at));
        const total = (count: (demand: Models["WorkerDemandItem"]) => number) =>
          demands.reduce((sum, demand) => sum + count(demand), 0);
        return {
          json: {
            waiting: total(({ waiting }) => waiting),
            executing: total(({ executing }) => executing),
            oldest_waiting_seconds: Math.max(0, ...demands.map((demand) => demand.oldest_waiting_seconds)),
            demands,
          },
        };
      },
    },
  } satisfies Endpoints;
}

function hostOf(placement: string): string {
  return placement === DEFAULT_PLACEMENT ? DEFAULT_PLACEMENT : demandsOf(placement).host;
}

function viewOf(
  { placement, waiting, executing, oldestSince }: Demand,
  at: Date,
): Models["WorkerDemandItem"] {
  const age = oldestSince === null ? 0 : Math.max(0, at.getTime() - Date.parse(oldestSince));
  const counts = { waiting, executing, oldest_waiting_seconds: Math.floor(age / 1_000) };
  if (placement === DEFAULT_PLACEMENT) return { worker_host: "local", ...counts };
  const { host, memoryGb, ...machine } = demandsOf(placement);
  return {
    worker_host: host,
    ...machine,
    ...(memoryGb === undefined ? {} : { memory_gb: memoryGb }),
    ...counts,
  };
}

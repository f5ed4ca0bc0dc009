import type { Models } from "../../client/typed-paths.ts";
import {
  canonicalWorkerHost,
  isThisServer,
  SERVER_NAMES,
  workerHostProblem,
} from "../../definitions/worker-host.ts";
import { invalidField, MillraceError } from "../../errors/error.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { DEFAULT_PLACEMENT, type Demand, demandsOf } from "../../runs/rules/placement.ts";
import type { RunOfWorker } from "../../runs/rules/remote-worker.ts";
import type { RunStore } from "../../runs/run-store.ts";
import {
  effectiveLabels,
  labelsProblem,
  standingOf,
  type WorkerStanding,
  workerNameProblem,
} from "../../workers/rules/worker-standing.ts";
import type { Worker, WorkerProcess } from "../../workers/worker.ts";
import type { Workers } from "../../workers/workers.ts";
import { type Endpoints, unlimitedKeyOf } from "../http/endpoint.ts";
import { type Cursors, pageOf } from "../http/page.ts";
import type { SecretAnswers } from "../http/secret-answers.ts";
import { creatorInfo } from "../runs/run-item.ts";

export interface WorkerEndpointDeps {
  registry: Workers;
  factories: Factories;
  cursors: Cursors;
  secretAnswers: SecretAnswers;
  runs: Pick<RunStore, "listRemote">;
  /** By which leases are judged. */
  leaseNow: () => Date;
}

/** Who the workers of the server are. A worker gets the secrets of the runs that it executes, so they belong to the server. */
export function workerEndpoints({
  registry,
  factories,
  cursors,
  secretAnswers,
  runs,
  leaseNow,
}: WorkerEndpointDeps) {
  const listRuns = () => runs.listRemote(leaseNow().toISOString());
  const view = async (standing: WorkerStanding) => workerView(standing, await listRuns());
  return {
    listWorkers: {
      async handle(request) {
        unlimitedKeyOf(request);
        const all = await registry.list();
        const position = ({ worker: { name, createdAt, id } }: (typeof all)[number]) =>
          `${name} ${createdAt} ${id}`;
        const { items, pageInfo } = pageOf(all, position, request, cursors);
        const executed = await listRuns();
        const workers = items.map((standing) => workerView(standing, executed));
        return { json: { workers, page_info: pageInfo } };
      },
    },
    createWorker: {
      subject: ({ body }) => body.name,
      handle: (request) =>
        secretAnswers.once(request, async () => {
          const { principal } = unlimitedKeyOf(request);
          const { name, labels = [], factories: named } = request.body;
          requireName(name);
          requireLabels(labels);
          const uids = named ? [...new Set(named.map((factory) => uidOf(factory, factories)))] : null;
          const made = await registry.create({ name, labels, factories: uids, createdBy: principal });
          const shown = workerView(standingOf(made.worker, [], ""), []);
          return { status: 201, json: { ...shown, token: made.token } };
        }),
    },
    getWorker: {
      async handle(request) {
        unlimitedKeyOf(request);
        return { json: await view(await registry.find(request.path.id)) };
      },
    },
    revokeWorker: {
      async handle(request) {
        unlimitedKeyOf(request);
        await registry.revoke(request.path.id);
        return { status: 204 };
      },
    },
    drainWorker: {
      async handle(request) {
        unlimitedKeyOf(request);
        return { json: await view(await registry.setDraining(request.path.id, true)) };
      },
    },
    endWorkerDrain: {
      async handle(request) {
        unlimitedKeyOf(request);
        return { json: await view(await registry.setDraining(request.path.id, false)) };
      },
    },
    listConnectedWorkers: {
      async handle(request) {
        unlimitedKeyOf(request);
        return { json: { workers: connectedHosts(await registry.list()) } };
      },
    },
  } satisfies Endpoints;
}

function requireName(name: string): void {
  const problem = isThisServer(name.toLowerCase())
    ? `The name "${name}" is reserved: ${SERVER_NAMES.join(", ")} are names of the server itself.`
    : workerNameProblem(name);
  if (problem !== undefined)
    throw new MillraceError("invalid_request", problem, { extra: { field: "name" } });
}

function requireLabels(labels: readonly string[]): void {
  const problem = labelsProblem(labels);
  if (problem !== undefined)
    throw new MillraceError("invalid_request", problem, { extra: { field: "labels" } });
}

function uidOf(name: string, factories: Factories): string {
  const found = factories.find(name);
  if (found) return found.record.uid;
  throw new MillraceError("resource_not_found", `There is no factory "${name}" on this server.`, {
    remedy: "Run `millrace factories list` to list the names of all factories.",
    extra: { field: "factories" },
  });
}

/** The runs of a worker that are listed at most; `executing` counts all of them. */
const MAX_RUNS = 100;

/**
 * A worker as the API shows it, with the load of its connected processes added up.
 * @param runs those that all workers have
 */
function workerView(
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
function connectedHosts(standings: readonly WorkerStanding[]): Models["ConnectedWorker"][] {
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

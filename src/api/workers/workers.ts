import { isThisServer, SERVER_NAMES } from "../../definitions/worker-host.ts";
import { MillraceError } from "../../errors/error.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { RunStore } from "../../runs/run-store.ts";
import {
  labelsProblem,
  standingOf,
  type WorkerStanding,
  workerNameProblem,
} from "../../workers/rules/worker-standing.ts";
import type { Workers } from "../../workers/workers.ts";
import type { Cursors } from "../http/cursor.ts";
import { type Endpoints, unlimitedKeyOf } from "../http/endpoint.ts";
import { pageOf } from "../http/page.ts";
import type { SecretAnswers } from "../http/secret-answers.ts";
import { connectedHosts, workerView } from "./worker-view.ts";

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

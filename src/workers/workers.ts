import { MillraceError } from "../errors/error.ts";
import { newUid } from "../id.ts";
import type { Principal } from "../principals/principal.ts";
import { createPresence } from "./presence.ts";
import { checkedFacts } from "./process-facts.ts";
import {
  awayBefore,
  CONNECTED_FOR_MS,
  type ConnectedProcess,
  standingOf,
  type WorkerStanding,
} from "./rules/worker-standing.ts";
import { sortedLabels } from "./rules/worker-text.ts";
import type { ProcessFacts, Worker, WorkerStore } from "./worker.ts";
import { hashWorkerToken, newWorkerToken, shownPrefix, workerTokenIn } from "./worker-token.ts";

export interface WorkerRequest {
  name: string;
  labels: readonly string[];
  factories: string[] | null;
  createdBy: Principal;
}

/** The workers of a server: made, recognised, seen, drained and revoked. */
export interface Workers {
  /** @returns the worker with its token, which is not kept and cannot be shown again */
  create(request: WorkerRequest): Promise<{ worker: Worker; token: string }>;
  /** The worker whose token a request has, or nothing. @param authorization the header of the request */
  authenticate(authorization: string | undefined): Promise<Worker | undefined>;
  /** Every worker, in the order of their names. */
  list(): Promise<WorkerStanding[]>;
  /** @throws MillraceError `resource_not_found` */
  find(id: string): Promise<WorkerStanding>;
  /** Whether a worker gets no new turns. It is asked often. @throws MillraceError `resource_not_found` */
  isDraining(id: string): Promise<boolean>;
  /** Every process that is connected, of draining workers too: what runs are matched against. Answers at once. */
  connected(): readonly ConnectedProcess[];
  /** Deletes a worker: its token opens nothing from then on. @throws MillraceError `resource_not_found` */
  revoke(id: string): Promise<void>;
  /** Gives a worker no new turns, or gives it turns again. @throws MillraceError `resource_not_found` */
  setDraining(id: string, isDraining: boolean): Promise<WorkerStanding>;
  /**
   * Notes that a process is there, and what it reports. May be called with every request of it: it writes now and then.
   * @throws MillraceError `invalid_request` for what nobody can report, `resource_not_found` for a worker that was revoked
   */
  seen(worker: Worker, processUid: string, facts: ProcessFacts): Promise<void>;
  /** Looks which processes were seen by other servers, and which workers were changed there. */
  refresh(): Promise<void>;
  /** Notes that a process ends by itself: it is not connected from then on. */
  left(worker: Worker, processUid: string): Promise<void>;
}

export interface WorkerDeps {
  store: WorkerStore;
  now: () => Date;
  /** How long a process counts as connected after it was seen, in milliseconds. */
  connectedFor?: number;
}

/** A pool of short-lived processes has one token: enough for any, and a bound on what a stolen one can fill. */
const MAX_PROCESSES = 1_000;
/**
 * What a server knows of its workers. Who they are is in the store; which processes are there is known in memory too, from
 * the last start on: every process talks to this server, and "last seen" is written now and then.
 */
export async function openWorkers({
  store,
  now,
  connectedFor = CONNECTED_FOR_MS,
}: WorkerDeps): Promise<Workers> {
  /** How exact a stored "last seen" is; each request would otherwise be a write. */
  const recordEvery = connectedFor / 4;
  const away = () => awayBefore(now(), connectedFor);
  const present = createPresence(await store.list(), await store.listProcesses(), MAX_PROCESSES);

  async function standing(worker: Worker | undefined, id: string): Promise<WorkerStanding> {
    if (!worker) throw noSuchWorker(id);
    return standingOf(worker, await store.listProcesses(id), away());
  }

  return {
    async create({ name, labels, factories, createdBy }) {
      const token = newWorkerToken();
      const worker: Worker = {
        id: newUid(),
        name,
        labels: sortedLabels(labels),
        factories,
        prefix: shownPrefix(token),
        createdBy,
        createdAt: now().toISOString(),
        drainingSince: null,
      };
      await store.create({ ...worker, hash: hashWorkerToken(token) });
      return { worker, token };
    },
    async authenticate(authorization) {
      const token = workerTokenIn(authorization);
      return token === undefined ? undefined : store.findByToken(hashWorkerToken(token));
    },
    async list() {
      const [workers, processes] = await Promise.all([store.list(), store.listProcesses()]);
      const at = away();
      return workers.map((worker) => standingOf(worker, processes, at));
    },
    find: async (id) => standing(await store.find(id), id),
    async isDraining(id) {
      const worker = await store.find(id);
      if (!worker) throw noSuchWorker(id);
      return worker.drainingSince !== null;
    },
    connected: () => present.connected(away()),
    async revoke(id) {
      if (!(await store.revoke(id))) throw noSuchWorker(id);
      present.forgetWorker(id);
    },
    async setDraining(id, isDraining) {
      const worker = await store.setDraining(id, isDraining ? now().toISOString() : null);
      if (worker) present.changeWorker(worker);
      return standing(worker, id);
    },
    async seen(worker, uid, reported) {
      const facts = checkedFacts(uid, reported);
      const at = now().toISOString();
      if (!present.see({ worker, uid, facts, at }, recordEvery)) return;
      const seen = { workerId: worker.id, uid, facts, at, awayBefore: away() };
      if (await store.keepSeen(seen, MAX_PROCESSES)) return;
      present.forgetWorker(worker.id);
      throw noSuchWorker(worker.id);
    },
    refresh: async () => present.learn(await store.list(), await store.listProcesses()),
    async left(worker, uid) {
      present.forget(worker.id, uid);
      await store.keepLeft(worker.id, uid, now().toISOString());
    },
  };
}

function noSuchWorker(id: string): MillraceError {
  return new MillraceError("resource_not_found", `There is no worker "${id}". It may have been revoked.`, {
    remedy: "Run `millrace workers list` to list the IDs of all workers.",
  });
}

import { createHash } from "node:crypto";
import { inBatches } from "../concurrency/periodic-jobs.ts";
import { MillraceError } from "../errors/error.ts";
import { newUid, randomText } from "../id.ts";
import type { Principal } from "../principals/principal.ts";
import { checkedFacts } from "./process-facts.ts";
import {
  awayBefore,
  CONNECTED_FOR_MS,
  type ConnectedProcess,
  connectedProcess,
  sortedLabels,
  standingOf,
  type WorkerStanding,
} from "./rules/worker-standing.ts";
import type { ProcessFacts, Worker, WorkerProcess, WorkerStore } from "./worker.ts";

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

interface Seen {
  worker: Worker;
  uid: string;
  facts: ProcessFacts;
  at: string;
}

type Kept = Seen & { writtenAt: string };

/** The processes that a server has seen lately. */
export interface Presence {
  /** The processes that were seen since an instant. */
  connected(awayBefore: string): ConnectedProcess[];
  /** Notes that a process was seen. @returns whether that is worth a write: something is new, or the last write is old */
  see(seen: Seen, writeEvery: number): boolean;
  /** Takes in what is stored, which other servers may have written. */
  learn(workers: readonly Worker[], processes: readonly WorkerProcess[]): void;
  /** A worker was drained, or gets turns again. */
  changeWorker(worker: Worker): void;
  forget(workerId: string, uid: string): void;
  forgetWorker(workerId: string): void;
}

/**
 * Knows from the start who was there when the server stopped: they come back within a beat, or are away.
 * @param mostOfWorker beyond so many processes of a worker, those are forgotten that were not seen for the longest
 */
function createPresence(
  workers: readonly Worker[],
  processes: readonly WorkerProcess[],
  mostOfWorker: number,
): Presence {
  /** By worker and by process, those last that were seen last. */
  const present = new Map<string, Map<string, Kept>>();
  learn(workers, processes);

  function learn(all: readonly Worker[], stored: readonly WorkerProcess[]): void {
    for (const id of present.keys()) if (!all.some((worker) => worker.id === id)) present.delete(id);
    for (const worker of all) {
      const known = present.get(worker.id) ?? new Map<string, Kept>();
      const own = stored.filter(({ workerId }) => workerId === worker.id);
      for (const { uid, leftAt } of own) if (leftAt !== null) known.delete(uid);
      for (const each of own.filter(({ leftAt }) => leftAt === null).sort(bySeenAt)) {
        const { workerId: _, uid, connectedAt: __, seenAt: at, leftAt: ___, ...facts } = each;
        const before = known.get(uid);
        if (before && before.at >= at) continue;
        known.delete(uid);
        known.set(uid, { worker, uid, facts, at, writtenAt: at });
      }
      for (const seen of known.values()) seen.worker = worker;
      present.set(worker.id, known);
    }
  }

  return {
    learn,
    connected: (awayBefore) =>
      [...present.values()]
        .flatMap((own) => [...own.values()])
        .filter(({ at }) => at >= awayBefore)
        .map(({ worker, uid, facts }) => connectedProcess(worker, uid, facts)),
    see(seen, writeEvery) {
      const own = present.get(seen.worker.id) ?? new Map<string, Kept>();
      present.set(seen.worker.id, own);
      const before = own.get(seen.uid);
      const isNews =
        !before ||
        JSON.stringify(before.facts) !== JSON.stringify(seen.facts) ||
        Math.abs(Date.parse(seen.at) - Date.parse(before.writtenAt)) >= writeEvery;
      own.delete(seen.uid);
      own.set(seen.uid, { ...seen, writtenAt: isNews ? seen.at : before.writtenAt });
      const [oldest] = own.keys();
      if (own.size > mostOfWorker && oldest !== undefined) own.delete(oldest);
      return isNews;
    },
    changeWorker(worker) {
      for (const seen of present.get(worker.id)?.values() ?? []) seen.worker = worker;
    },
    forget: (workerId, uid) => void present.get(workerId)?.delete(uid),
    forgetWorker: (workerId) => void present.delete(workerId),
  };
}

function bySeenAt(a: WorkerProcess, b: WorkerProcess): number {
  return a.seenAt < b.seenAt ? -1 : 1;
}

/** Tokens of workers are told from API keys and run tokens by how they begin. */
export const WORKER_TOKEN_PREFIX = "mrw_";
/** 40 letters and digits hold 238 bits. */
const RANDOM_LENGTH = 40;
const SHOWN_LENGTH = 9;
const TOKEN = new RegExp(`^${WORKER_TOKEN_PREFIX}[A-Za-z0-9]{${RANDOM_LENGTH}}$`);

/** A token with which processes connect as one worker. */
function newWorkerToken(): string {
  return WORKER_TOKEN_PREFIX + randomText(RANDOM_LENGTH);
}

/** What is kept of a token: its SHA-256, hexadecimal. */
function hashWorkerToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The part of a token that may be shown. */
function shownPrefix(token: string): string {
  return token.slice(0, SHOWN_LENGTH);
}

/** The token in an Authorization header, if it has the form of one: nothing else is worth a look into the store. */
function workerTokenIn(authorization: string | undefined): string | undefined {
  const value = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  return value !== undefined && TOKEN.test(value) ? value : undefined;
}

/** Whoever looks why a worker is away finds its last processes for an hour. */
const KEPT_MS = 60 * 60_000;

/** Forgets processes of workers that have not been seen for long; the last one of each worker stays. */
export async function pruneProcesses(
  { store, now }: { store: Pick<WorkerStore, "pruneProcesses">; now: () => Date },
  signal?: AbortSignal,
): Promise<void> {
  const seenBefore = new Date(now().getTime() - KEPT_MS).toISOString();
  await inBatches((limit) => store.pruneProcesses(seenBefore, limit), signal);
}

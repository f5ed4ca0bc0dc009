import type { Principal } from "../principals/principal.ts";

/**
 * Who may connect as a worker: a name and a token. Several processes may use one token, and several workers may have one
 * name: a name is a pool.
 */
export interface Worker {
  id: string;
  name: string;
  /** The labels that whoever made it has granted. When there are any, what its processes report does not count. */
  labels: string[];
  /** Uids of the factories whose runs it may execute; null for those of every factory, and of none. */
  factories: string[] | null;
  /** The first characters of its token, to recognise it by. */
  prefix: string;
  createdBy: Principal;
  createdAt: string;
  /** Since when it gets no new turns. */
  drainingSince: string | null;
}

export interface NewWorker extends Worker {
  /** SHA-256 of the token, hexadecimal. Tokens have over 200 random bits, so no slower hash is needed. */
  hash: string;
}

/** What a process of a worker reports of itself. It may claim anything: nothing here gives it access to a run. */
export interface ProcessFacts {
  labels: string[];
  /** The version of millrace that it runs. */
  version: string;
  /** As runners name them: `linux`, `x86_64`. */
  platform: { os: string; arch: string } | null;
  shape: { vcpus: number; memoryGb: number } | null;
  /** How it isolates agents: `bwrap`, `container`, `none` or `command`. */
  sandbox: string | null;
  /** A random id of its data folder, where its workspaces are: it outlives the process. */
  dataFolder?: string;
  /** Whether it holds turns to the network policy of their assignment. Earlier versions do not know of any. */
  limitsNetwork?: boolean;
  /** How many turns it executes at once at most. */
  concurrency: number;
  executing: number;
}

/** A process that has connected with the token of a worker. */
export interface WorkerProcess extends ProcessFacts {
  workerId: string;
  /** Chosen by the process when it starts. */
  uid: string;
  connectedAt: string;
  seenAt: string;
  /** When it said that it ends; null for one that has not. */
  leftAt: string | null;
}

/** A process as it was seen at an instant. */
export interface SeenProcess {
  workerId: string;
  uid: string;
  facts: ProcessFacts;
  at: string;
  /** One that was last seen before this instant was away, and connects anew. */
  awayBefore: string;
}

/** Keeps workers and their processes. `find` and `list` read, the rest writes; each call is one transaction. */
export interface WorkerStore {
  create(worker: NewWorker): Promise<void>;
  find(id: string): Promise<Worker | undefined>;
  /** @param hash of the token */
  findByToken(hash: string): Promise<Worker | undefined>;
  list(): Promise<Worker[]>;
  /** Deletes a worker with its processes: its token is not recognised from then on. @returns whether there was one */
  revoke(id: string): Promise<boolean>;
  /** @param since null for one that gets turns again; one that is draining stays so since it began */
  setDraining(id: string, since: string | null): Promise<Worker | undefined>;
  /** Of all workers, or of one. */
  listProcesses(workerId?: string): Promise<WorkerProcess[]>;
  /** Forgets what its worker has beyond so many, first those not seen for the longest. @returns whether there is such a worker */
  keepSeen(process: SeenProcess, mostOfWorker: number): Promise<boolean>;
  keepLeft(workerId: string, uid: string, at: string): Promise<void>;
  /** Forgets processes last seen before an instant, but the last one of each worker. @returns how many */
  pruneProcesses(seenBefore: string, limit: number): Promise<number>;
}

/** A server as it was when it last said that it is there. */
export interface ServerProcess {
  /** Of its data folder: a server that was started again there takes the place of the one before. */
  uid: string;
  /** Of its machine. */
  name: string;
  version: string;
  startedAt: string;
  seenAt: string;
  isLeader: boolean;
  /** How many runs it executes itself, and how many it can. */
  executing: number;
  concurrency: number;
}

/** Keeps which servers share the store. `list` reads, the rest writes; each call is one transaction. */
export interface ServerProcessStore {
  /** One that leads is the only one from then on. Forgets those that were last seen before an instant. */
  keepSeen(server: ServerProcess, forgetBefore: string): Promise<void>;
  list(): Promise<ServerProcess[]>;
  /** Forgets a server that ends. */
  remove(uid: string): Promise<void>;
}

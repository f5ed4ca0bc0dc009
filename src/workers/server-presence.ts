import { hostname } from "node:os";
import { type Leadership, wakeable } from "../concurrency/rounds.ts";
import { programVersion } from "../platform/version.ts";

export interface AnnounceOptions {
  store: ServerProcessStore;
  /** Whether other servers have the same store. Nobody else looks for one that has it alone. */
  sharesStore: boolean;
  uid: string;
  /** How many runs it can execute. */
  concurrency: number;
  /** The runs that it executes. */
  executing(): readonly unknown[];
  leadership: Leadership;
  /** The clock that the servers have in common. */
  now: () => Date;
}

/** A server among those of the store, as one of them sees it. */
export interface ListedServer extends ServerProcess {
  /** It has not been seen lately. */
  isAway: boolean;
  /** It is the one that sees. */
  isThis: boolean;
}

/** The servers of the store. */
export interface ServerPresence {
  list(): Promise<ListedServer[]>;
  /** Takes this server off the list. */
  stop(): Promise<void>;
}

const EVERY_MS = 5_000;
const AWAY_AFTER_MS = 15_000;
/** Whoever looks which server is away finds it for a day. */
const KEPT_MS = 24 * 60 * 60_000;

/** The servers that were seen lately. */
export async function listPresent(
  store: Pick<ServerProcessStore, "list">,
  at: Date,
): Promise<ServerProcess[]> {
  const awayBefore = new Date(at.getTime() - AWAY_AFTER_MS).toISOString();
  return (await store.list()).filter(({ seenAt }) => seenAt >= awayBefore);
}

/** Says from now on that this server is there, for the others that share its store. */
export function announceServer(options: AnnounceOptions): ServerPresence {
  const { store, sharesStore, uid, concurrency, executing, leadership, now } = options;
  const startedAt = now().toISOString();
  const constant = { uid, name: hostname(), version: programVersion(), startedAt, concurrency };
  const ago = (ms: number) => new Date(now().getTime() - ms).toISOString();
  const seen = (): ServerProcess => ({
    ...constant,
    executing: executing().length,
    seenAt: now().toISOString(),
    isLeader: leadership.isLeader(),
  });
  const rounds = wakeable({
    async round() {
      await store.keepSeen(seen(), ago(KEPT_MS));
      return EVERY_MS;
    },
    // The store logs why it failed.
    onError: () => EVERY_MS,
  });
  if (sharesStore) {
    rounds.wake();
    leadership.onLeading(rounds.wake);
  }
  return {
    async list() {
      const stored = sharesStore ? await store.list() : [];
      // What is stored of this server is older than what it knows of itself.
      const own = seen();
      const awayBefore = ago(AWAY_AFTER_MS);
      const others = stored
        .filter((other) => other.uid !== uid)
        .map((other) => {
          const isAway = other.seenAt < awayBefore;
          return { ...other, isAway, isLeader: other.isLeader && !isAway && !own.isLeader, isThis: false };
        });
      return [{ ...own, isAway: false, isThis: true }, ...others];
    },
    async stop() {
      await rounds.stop();
      // One that is not taken off is away.
      if (sharesStore) await store.remove(uid).catch(() => {});
    },
  };
}

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

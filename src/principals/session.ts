import { createHash } from "node:crypto";
import { inBatches } from "../concurrency/periodic-jobs.ts";
import { randomText } from "../id.ts";
import type { Keys } from "./keys.ts";
import type { ApiKey } from "./principal.ts";

/** A browser that someone has signed in with a key. It may what the key may, and no longer than the key. */
export interface Session {
  keyId: string;
  createdAt: string;
  lastSeenAt: string;
  /** When it ends however much it is used. */
  expiresAt: string;
}

/** Whoever signs in again and again must not fill the store. */
export const MAX_SESSIONS_PER_KEY = 100;

/** Keeps sessions, each under the SHA-256 of its id: who reads the store cannot become someone. */
export interface SessionStore {
  find(hash: string): Promise<Session | undefined>;
  /** Ends what its key has beyond so many, those first that were used the longest ago. */
  create(hash: string, session: Session, mostOfKey: number): Promise<void>;
  recordUse(hash: string, at: string): Promise<void>;
  end(hash: string): Promise<void>;
  /** Deletes at most so many that have expired or were last seen before an instant. @returns how many */
  prune(ended: { expiredBefore: string; seenBefore: string }, limit: number): Promise<number>;
}

export interface SessionTimes {
  /** How long a session lasts without a request, in milliseconds. */
  sessionIdleTimeout: number;
  /** How long it lasts at most, in milliseconds. */
  sessionLifetime: number;
}

/** Sessions of browsers: begun with a key, recognised by their ids, and ended. */
export interface Sessions {
  /** @returns the id, which is not kept and cannot be shown again */
  begin(key: ApiKey): Promise<{ id: string; session: Session }>;
  /** The key of a session that has not ended, and that is active itself. Counts as a use of the session. */
  recognise(id: string): Promise<ApiKey | undefined>;
  /** The same without being a use: a stream that stays open keeps no session alive. */
  look(id: string): Promise<ApiKey | undefined>;
  end(id: string): Promise<void>;
}

interface SessionDeps extends SessionTimes {
  store: SessionStore;
  keys: Pick<Keys, "findActive">;
  now: () => Date;
}

/** 43 letters and digits hold 256 bits, so no slower hash is needed and no one has to count wrong ones. */
const ID_LENGTH = 43;
/** How exact "last seen" is at most; each request would otherwise be a write. */
const USE_RECORDED_EVERY_MS = 60_000;

export function createSessions({
  store,
  keys,
  now,
  sessionIdleTimeout,
  sessionLifetime,
}: SessionDeps): Sessions {
  const recordEvery = Math.min(USE_RECORDED_EVERY_MS, sessionIdleTimeout / 4);

  async function find(id: string): Promise<{ session: Session; key: ApiKey } | undefined> {
    const session = await store.find(hashOf(id));
    if (!session || hasEnded(session)) return undefined;
    const key = await keys.findActive(session.keyId);
    return key && { session, key };
  }

  function hasEnded({ lastSeenAt, expiresAt }: Session): boolean {
    const at = now().getTime();
    return at >= Date.parse(expiresAt) || at - Date.parse(lastSeenAt) >= sessionIdleTimeout;
  }

  return {
    async begin(key) {
      const id = randomText(ID_LENGTH);
      const at = now();
      const session: Session = {
        keyId: key.id,
        createdAt: at.toISOString(),
        lastSeenAt: at.toISOString(),
        expiresAt: new Date(at.getTime() + sessionLifetime).toISOString(),
      };
      await store.create(hashOf(id), session, MAX_SESSIONS_PER_KEY);
      return { id, session };
    },
    async recognise(id) {
      const found = await find(id);
      if (!found) return undefined;
      const at = now();
      if (at.getTime() - Date.parse(found.session.lastSeenAt) >= recordEvery) {
        // Nobody waits for it: where the store cannot write, what it holds can still be read.
        store.recordUse(hashOf(id), at.toISOString()).catch(() => {});
      }
      return found.key;
    },
    look: async (id) => (await find(id))?.key,
    end: (id) => store.end(hashOf(id)),
  };
}

/** Deletes every session that has ended by itself. */
export async function pruneSessions(
  { store, now, idleMs }: { store: Pick<SessionStore, "prune">; now: () => Date; idleMs: number },
  signal?: AbortSignal,
): Promise<void> {
  const ended = {
    expiredBefore: now().toISOString(),
    seenBefore: new Date(now().getTime() - idleMs).toISOString(),
  };
  await inBatches((limit) => store.prune(ended, limit), signal);
}

function hashOf(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}

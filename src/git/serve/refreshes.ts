import { untilAborted } from "../../concurrency/promises.ts";

/** Brings mirrors up to date for clients that do not stay as long as that may take. */
export interface Refreshes {
  /**
   * Begins a refresh and waits for it. It goes on when its client leaves; when it then fails, the next request of the same
   * key hears why.
   * @returns false when the client has to ask again: it goes on after the longest wait, or too many of this key go on
   * @throws what the refresh throws, and the signal's reason, which ends the wait alone
   */
  run(key: string, refresh: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<boolean>;
}

export interface RefreshLimits {
  /** Below what proxies, and git processes of workers, wait for the beginning of an answer. */
  longestWaitMs: number;
  timeLimitMs: number;
  runningOfKey: number;
}

const LIMITS: RefreshLimits = { longestWaitMs: 20_000, timeLimitMs: 60 * 60_000, runningOfKey: 100 };
/** A client that was asked to ask again does so within seconds. */
const FAILURE_STORED_MS = 60_000;

export function createRefreshes(limits: RefreshLimits = LIMITS): Refreshes {
  const running = new Map<string, number>();
  const failures = new Map<string, unknown>();

  function begin(key: string, refresh: (signal: AbortSignal) => Promise<void>): Promise<void> {
    running.set(key, (running.get(key) ?? 0) + 1);
    return refresh(AbortSignal.timeout(limits.timeLimitMs)).finally(() => {
      const left = (running.get(key) ?? 1) - 1;
      if (left > 0) running.set(key, left);
      else running.delete(key);
    });
  }

  function storeFailure(key: string, error: unknown): void {
    failures.set(key, error);
    setTimeout(() => failures.delete(key), FAILURE_STORED_MS).unref();
  }

  return {
    async run(key, refresh, signal) {
      if (failures.has(key)) {
        const error = failures.get(key);
        failures.delete(key);
        throw error;
      }
      if ((running.get(key) ?? 0) >= limits.runningOfKey) return false;
      const work = begin(key, refresh);
      const wait = new AbortController();
      const timer = setTimeout(() => wait.abort(), limits.longestWaitMs);
      try {
        await untilAborted(work, AbortSignal.any([signal, wait.signal]));
        return true;
      } catch (error) {
        if (!signal.aborted && !wait.signal.aborted) throw error;
        work.catch((late) => storeFailure(key, late));
        if (signal.aborted) throw signal.reason;
        return false;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

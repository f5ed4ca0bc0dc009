import { setTimeout as sleep } from "node:timers/promises";

/** Whoever waits looks at the store no more often than this, however busy it is, unless it is told otherwise. */
const BETWEEN_LOOKS_MS = 50;

/** Tells those who wait for something to change that something has been committed. */
export interface CommitSignal {
  committed(): void;
  /** Resolves after the next commit, after so many milliseconds, or when the signal aborts, whichever comes first. */
  next(maxMs: number, signal: AbortSignal): Promise<void>;
}

/** @param betweenLooksMs how far apart the looks of one who waits are at least */
export function createCommitSignal(betweenLooksMs = BETWEEN_LOOKS_MS): CommitSignal {
  const waiting = new Set<() => void>();
  return {
    committed() {
      for (const wake of [...waiting]) wake();
    },
    async next(maxMs, signal) {
      if (signal.aborted) return;
      // Who waits has just looked.
      const lookedAt = performance.now();
      await new Promise<void>((resolve) => {
        const done = () => {
          waiting.delete(done);
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          resolve();
        };
        const timer = setTimeout(done, maxMs);
        signal.addEventListener("abort", done, { once: true });
        waiting.add(done);
      });
      const restMs = lookedAt + Math.min(betweenLooksMs, maxMs) - performance.now();
      if (restMs > 0) await sleep(restMs, undefined, { signal }).catch(() => {});
    },
  };
}

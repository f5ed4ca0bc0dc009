import { setTimeout as sleep } from "node:timers/promises";

export interface CommitRoundsOptions {
  /** One round. @returns whether there is more, nothing left, or nothing to look for until someone wakes it */
  round(): Promise<"more" | "caught up" | "idle">;
  /** Resolves after the next commit, or after so many milliseconds. */
  nextCommit(maxMs: number, signal: AbortSignal): Promise<void>;
  /** Reports a round that failed; another one follows after a while. */
  onError(error: unknown): void;
  /** How long to wait for a commit. */
  lookEveryMs?: number;
}

/** Rounds of work that follow what is committed; never two at the same time. */
export interface CommitRounds {
  /** Begins a round at once, also where nothing was to be looked for. */
  wake(): void;
  /** Ends with the round that runs. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 5_000;
/** On a busy server, so often at most. */
const REST_MS = 200;
const AFTER_FAILURE_MS = 5_000;

/** Begins the first round immediately. */
export function commitRounds({
  round,
  nextCommit,
  onError,
  lookEveryMs = LOOK_EVERY_MS,
}: CommitRoundsOptions): CommitRounds {
  const stopping = new AbortController();
  const { signal } = stopping;
  let woken = new AbortController();

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      woken = new AbortController();
      // Asked for before the round: what is committed during it is not missed.
      const rest = AbortSignal.any([signal, woken.signal]);
      const committed = nextCommit(lookEveryMs, rest);
      const outcome = await round().catch(async (error) => {
        if (signal.aborted) return "more";
        onError(error);
        await sleep(AFTER_FAILURE_MS, undefined, { signal }).catch(() => {});
        return "more";
      });
      if (outcome === "more") {
        // A long log is read in many rounds: none leaves behind what waits for a commit.
        woken.abort();
        continue;
      }
      await (outcome === "idle" ? aborted(rest) : committed);
      await sleep(REST_MS, undefined, { signal: rest, ref: false }).catch(() => {});
    }
  }

  const following = follow();
  return {
    wake: () => woken.abort(),
    async stop() {
      stopping.abort();
      await following;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

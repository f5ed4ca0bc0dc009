import { setTimeout as sleep } from "node:timers/promises";

interface WakeableOptions {
  /** One round. @returns after how many milliseconds the next one begins unless it is asked for; undefined for never */
  round(): Promise<number | undefined>;
  /** Reports a round that failed. @returns after how many milliseconds the next one begins, as `round` does */
  onError(error: unknown): number | undefined;
}

/** Rounds of work that begin when someone asks, or after a while; never two at the same time. */
export interface Wakeable {
  /** Begins a round, or another one after the round that runs: what asks may have come too late for that. */
  wake(): void;
  /** Begins no more rounds. Resolves when the one that runs has ended. */
  stop(): Promise<void>;
}

/** Node fires a timer that is set for longer at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Begins no round before it is woken. */
export function wakeable({ round, onError }: WakeableOptions): Wakeable {
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    clearTimeout(timer);
    const restMs = await round().catch(onError);
    if (restMs !== undefined && !isStopped) {
      timer = setTimeout(wake, Math.min(restMs, MAX_TIMER_MS));
      // Rest between rounds keeps no process alive.
      timer.unref();
    }
  }

  function wake(): void {
    if (isStopped) return;
    if (running) {
      isAskedAgain = true;
      return;
    }
    running = run().finally(() => {
      running = undefined;
      if (!isAskedAgain) return;
      isAskedAgain = false;
      wake();
    });
  }

  return {
    wake,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

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

/** How long rounds rest after one that has failed, which is the store's doing mostly. */
export const AFTER_FAILURE_MS = 5_000;

interface Retry {
  firstMs: number;
  mostMs?: number;
  /** Which part of a wait it may be shorter or longer by, so that what has failed together does not come back together. */
  spread?: number;
}

/** How long to wait after so many failures in a row: twice as long after each. */
export function waitAfter(failures: number, { firstMs, mostMs = Infinity, spread = 0 }: Retry): number {
  const ms = Math.min(firstMs * 2 ** Math.min(failures - 1, 20), mostMs);
  return ms * (1 - spread + 2 * spread * Math.random());
}

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

/** Which of several servers does what one alone may do, or need do only once: schedules, notices to forges, pruning. */
export interface Leadership {
  /** Whether it is this server, at this moment. Ask before each piece of work: a server that was paused leads no more. */
  isLeader(): boolean;
  /** Has this called whenever this server has begun to lead. @returns what ends that */
  onLeading(listener: () => void): () => void;
}

/** Where there is one server, it leads. */
export const ALWAYS_LEADER: Leadership = { isLeader: () => true, onLeading: () => () => {} };

/** A leader that is not sure of it for a moment, because the store answers slowly, is not told when it is again. */
const NOT_LEADING_MS = 5_000;

/** Rounds of work that the leading server does: another one looks now and then whether it leads. */
export function leaderRounds(
  { isLeader, onLeading }: Leadership,
  { round, onError }: WakeableOptions,
): Wakeable {
  const rounds = wakeable({ round: async () => (isLeader() ? round() : NOT_LEADING_MS), onError });
  const forget = onLeading(rounds.wake);
  return {
    wake: rounds.wake,
    async stop() {
      forget();
      await rounds.stop();
    },
  };
}

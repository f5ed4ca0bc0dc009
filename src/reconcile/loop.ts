import { errorMessage } from "../error.ts";
import type { Log } from "../log.ts";
import type { Outcome, Reason } from "./outcome.ts";

export interface LoopOptions {
  /** One pass. The loop never runs two at once. */
  pass(reason: Reason): Promise<Outcome>;
  /** How often to look without being asked; nothing for a source that tells of its changes itself. */
  pollMs: number | undefined;
  log: Log;
  random?: () => number;
}

/** Keeps a factory in step with its source. */
export interface Loop {
  /** Asks for a pass; requests that come while one runs share the next. Resolves when that pass has ended. */
  request(reason: Reason): Promise<void>;
  /** Whether a pass goes on now. */
  readonly isRunning: boolean;
  /** Ends the loop after the pass that runs. */
  stop(): Promise<void>;
}

/** Servers that started together should not ask the git host together for ever. */
const JITTER = 0.1;
/** A source that fails is asked at most this seldom. */
const LONGEST_BACKOFF_MS = 5 * 60_000;
/** Node fires a timer that is set for longer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Runs passes one at a time: when asked, and by the clock, later after each failure. */
export function startLoop({ pass, pollMs, log, random = Math.random }: LoopOptions): Loop {
  let running: Promise<void> | undefined;
  let next: { reason: Reason; done: Promise<void> } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let stopped = false;

  async function runPass(reason: Reason): Promise<void> {
    clearTimeout(timer);
    try {
      const outcome = await pass(reason);
      failures = outcome.kind === "unreadable" ? failures + 1 : 0;
    } catch (error) {
      failures += 1;
      log.error({ error: errorMessage(error) }, "a reconcile pass failed");
    }
    schedule();
  }

  function schedule(): void {
    if (stopped) return;
    const delay = delayAfter(failures, pollMs);
    if (delay === undefined) return;
    const jittered = delay * (1 + JITTER * (2 * random() - 1));
    timer = setTimeout(() => void request("poll"), Math.min(jittered, LONGEST_TIMER_MS));
  }

  function request(reason: Reason): Promise<void> {
    if (stopped) return Promise.resolve();
    if (!running) {
      running = runPass(reason).finally(() => {
        running = undefined;
      });
      return running;
    }
    if (next) {
      next.reason = stronger(next.reason, reason);
      return next.done;
    }
    const waiting: { reason: Reason; done: Promise<void> } = { reason, done: Promise.resolve() };
    waiting.done = running.then(() => {
      next = undefined;
      return request(waiting.reason);
    });
    next = waiting;
    return waiting.done;
  }

  return {
    request,
    get isRunning() {
      return running !== undefined;
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** A folder without polling is asked again only while it fails. */
function delayAfter(failures: number, pollMs: number | undefined): number | undefined {
  if (failures === 0) return pollMs;
  const base = pollMs ?? 1_000;
  return Math.max(base, Math.min(base * 2 ** Math.min(failures, 20), LONGEST_BACKOFF_MS));
}

/** Of two requests that share a pass, the one that looks harder counts. */
function stronger(one: Reason, other: Reason): Reason {
  const order: readonly Reason[] = ["poll", "change", "secret", "start", "sync"];
  return order.indexOf(other) > order.indexOf(one) ? other : one;
}

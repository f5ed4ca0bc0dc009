import { waitAfter } from "../concurrency/rounds.ts";
import { serial } from "../concurrency/shared-work.ts";
import { errorMessage, MillraceError } from "../errors/error.ts";
import type { Log } from "../log.ts";
import { type Outcome, REASONS, type Reason, type Request } from "./outcome.ts";

export interface LoopOptions {
  /** One pass. The loop never runs two at once. */
  pass(reason: Reason, request: Request): Promise<Outcome>;
  /** How often to look without being asked; nothing for a source that tells of its changes itself. */
  pollMs: number | undefined;
  /** Whether this server is the one that looks without being asked. */
  isLeader?: (() => boolean) | undefined;
  log: Log;
  random?: () => number;
}

/** Keeps a factory in step with its source. */
export interface Loop {
  /** Asks for a pass; requests that come while one runs share the next. Resolves when that pass has ended. */
  request(reason: Reason, request?: Request): Promise<void>;
  /** Does something while no pass runs. @throws MillraceError `service_unavailable` when the loop has ended */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Whether a pass goes on now. */
  readonly isRunning: boolean;
  /** Ends the loop after the pass that runs. */
  stop(): Promise<void>;
}

/** Servers that started together should not ask the forge together for ever. */
const JITTER = 0.1;
/** A source that fails is asked at most this seldom. */
const MAX_BACKOFF_MS = 5 * 60_000;
/** Node fires a timer that is set for longer at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Runs passes one at a time: when asked, and by the clock, later after each failure. */
export function startLoop({
  pass,
  pollMs,
  isLeader = () => true,
  log,
  random = Math.random,
}: LoopOptions): Loop {
  const turns = serial();
  let next: Waiting | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let stopped = false;

  async function runPass(reason: Reason, request: Request): Promise<void> {
    clearTimeout(timer);
    try {
      const outcome = await pass(reason, request);
      failures = outcome.kind === "unreadable" ? failures + 1 : 0;
    } catch (error) {
      failures += 1;
      log.error({ error: errorMessage(error) }, "a reconcile attempt failed");
    }
    schedule();
  }

  function schedule(): void {
    if (stopped) return;
    const delay = delayAfter(failures, pollMs);
    if (delay === undefined) return;
    const jittered = delay * (1 + JITTER * (2 * random() - 1));
    timer = setTimeout(poll, Math.min(jittered, MAX_TIMER_MS));
  }

  function poll(): void {
    if (isLeader()) void request("poll");
    else schedule();
  }

  function request(reason: Reason, asked: Request = {}): Promise<void> {
    if (stopped) return Promise.resolve();
    if (next) {
      joinWaiting(next, reason, asked);
      return next.done;
    }
    const waiting: Waiting = { reason, asked, done: Promise.resolve() };
    next = waiting;
    waiting.done = turns.run(async () => {
      next = undefined;
      if (!stopped) await runPass(waiting.reason, waiting.asked);
    });
    return waiting.done;
  }

  function alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return turns.run(async () => {
      if (stopped) throw new MillraceError("service_unavailable", "The server is stopping.");
      return work();
    });
  }

  return {
    request,
    alone,
    get isRunning() {
      return turns.isBusy;
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await turns.ended();
    },
  };
}

/** A folder without polling is asked again only while it fails. */
function delayAfter(failures: number, pollMs: number | undefined): number | undefined {
  if (failures === 0) return pollMs;
  const base = pollMs ?? 1_000;
  return Math.max(base, waitAfter(failures + 1, { firstMs: base, mostMs: MAX_BACKOFF_MS }));
}

interface Waiting {
  reason: Reason;
  asked: Request;
  done: Promise<void>;
}

/** Of two requests that share a pass, the one that looks harder counts; what one of them allows is allowed. */
function joinWaiting(waiting: Waiting, reason: Reason, asked: Request): void {
  const allowsDeletes = [...(waiting.asked.allowsDeletes ?? []), ...(asked.allowsDeletes ?? [])];
  const isHarder = REASONS.indexOf(reason) > REASONS.indexOf(waiting.reason);
  waiting.asked = { ...(isHarder ? asked : waiting.asked), allowsDeletes };
  if (isHarder) waiting.reason = reason;
}

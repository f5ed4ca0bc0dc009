import { EventEmitter } from "node:events";
import { errorMessage } from "../error.ts";
import type { Log } from "../log.ts";
import type { RunCaps } from "./caps.ts";
import { leaseFrom } from "./lease.ts";
import type { Claim, RunStore } from "./run.ts";

export interface QueueOptions {
  store: Pick<RunStore, "claim" | "findHourOpening" | "findHourIsFull">;
  /** Who claims. */
  worker: string;
  /** How many runs execute at once. */
  concurrency: number;
  /** The caps in force. */
  caps: () => RunCaps;
  /** Whether the machine has room for more; `wake` says when it has again. */
  hasRoom(): boolean;
  execute(claim: Claim, signals: RunSignals): Promise<void>;
  log: Log;
  now: () => Date;
}

/** What reaches an execution from outside. */
export interface RunSignals {
  /** The server stops. */
  stop: AbortSignal;
  /** Somebody has cancelled the run, and the store knows it. */
  cancel: AbortSignal;
  /** Is called whenever somebody has said something to the run. */
  onMessage(listener: () => void): void;
}

export interface Queue {
  /** Says that there may be something to do. */
  wake(): void;
  /** Says that a run is about to be stored. @returns whether it has to wait for another one to end */
  expect(runId: string): boolean;
  /** Whether another run of a factory has to wait for the hour to allow it. */
  isHourFull(factoryUid: string | null): Promise<boolean>;
  /** Says that it was not stored. */
  forget(runId: string): void;
  /** Says that there is a message for a run. */
  tell(runId: string): void;
  /** Ends a run if it executes here; its end has been asked for in the store. */
  cancel(runId: string): void;
  /** Takes nothing more, waits for what executes, and ends what still does after the drain time. */
  stop(drainMs: number): Promise<void>;
}

/** A look at the store that nobody asked for, in case that a wake was lost. */
const IDLE_LOOK_MS = 5_000;

/** Takes waiting runs from the store and executes them, oldest first, so many at once. It rests until it is woken. */
export function createQueue(options: QueueOptions): Queue {
  const { store, worker, concurrency, caps, hasRoom, execute, log, now } = options;
  const executing = new Map<string, { cancel: AbortController; told: EventEmitter; done: Promise<void> }>();
  /** Runs for which there is room, and which have not been claimed yet. */
  const expected = new Set<string>();
  const stopping = new AbortController();
  let stopped = false;
  let claiming: Promise<void> | undefined;
  let lookAgain = false;
  let idle: NodeJS.Timeout | undefined;
  let opening: NodeJS.Timeout | undefined;

  function wake(): void {
    if (stopped) return;
    idle ??= setInterval(wake, IDLE_LOOK_MS);
    if (claiming) {
      lookAgain = true;
      return;
    }
    claiming = claim()
      .catch((error) => log.error({ error: errorMessage(error) }, "waiting runs could not be claimed"))
      .finally(() => {
        claiming = undefined;
        if (lookAgain) {
          lookAgain = false;
          wake();
        }
      });
  }

  async function claim(): Promise<void> {
    const free = concurrency - executing.size;
    if (free <= 0 || !hasRoom()) return;
    const at = now();
    const claims = await store.claim(free, leaseFrom(at, worker), at.toISOString(), caps());
    for (const claimed of claims) begin(claimed);
    if (claims.length < free) await awaitOpening(at);
  }

  /**
   * Nobody tells when an hour is over: what waits for that is looked for then.
   *
   * @param at - when runs were claimed last: an hour that has ended since then is one that the claim has not seen
   */
  async function awaitOpening(at: Date): Promise<void> {
    clearTimeout(opening);
    const perHour = caps().factories;
    if (Object.keys(perHour).length === 0) return;
    const opens = await store.findHourOpening(perHour, at.toISOString());
    if (opens === undefined || stopped) return;
    opening = setTimeout(wake, Math.max(1, Date.parse(opens) - now().getTime()));
  }

  function begin(claimed: Claim): void {
    const { id } = claimed.run;
    expected.delete(id);
    const cancel = new AbortController();
    const told = new EventEmitter();
    const onMessage = (listener: () => void) => {
      told.on("message", listener);
    };
    const done = execute(claimed, { stop: stopping.signal, cancel: cancel.signal, onMessage })
      .catch((error) => log.error({ run: id, error: errorMessage(error) }, "a run could not be executed"))
      .finally(() => {
        executing.delete(id);
        wake();
      });
    executing.set(id, { cancel, told, done });
  }

  return {
    wake,
    tell(runId) {
      executing.get(runId)?.told.emit("message");
      wake();
    },
    cancel(runId) {
      expected.delete(runId);
      executing.get(runId)?.cancel.abort();
    },
    expect(runId) {
      const mustWait = executing.size + expected.size >= concurrency;
      // Those beyond the first to wait change nothing, and are not kept.
      if (!mustWait) expected.add(runId);
      return mustWait;
    },
    async isHourFull(factoryUid) {
      const cap = factoryUid === null ? undefined : caps().factories[factoryUid];
      if (factoryUid === null || cap === undefined) return false;
      return store.findHourIsFull(factoryUid, cap, now().toISOString());
    },
    forget(runId) {
      expected.delete(runId);
    },
    async stop(drainMs) {
      stopped = true;
      clearInterval(idle);
      await claiming;
      clearTimeout(opening);
      const timer = setTimeout(() => stopping.abort(), drainMs);
      await Promise.all([...executing.values()].map(({ done }) => done));
      clearTimeout(timer);
    },
  };
}

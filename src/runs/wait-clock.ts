import { type Leadership, leaderRounds } from "../concurrency/rounds.ts";
import { errorMessage } from "../errors/error.ts";
import type { Log } from "../log.ts";
import type { RunStore } from "./run.ts";

export interface WaitClockDeps {
  store: Pick<RunStore, "endOverdueWaits" | "findNextWaitEnd">;
  leadership: Leadership;
  /** Says that runs wait for their next turn. */
  onRuns(): void;
  log: Log;
  now: () => Date;
}

/** Ends waits of runs whose time limit is reached. */
export interface WaitClock {
  /** Says that a wait was recorded. */
  wake(): void;
  stop(): Promise<void>;
}

const BATCH = 50;
/** The clock of the machine may be set at any time, and an agent may exit after the time limit of its wait. */
const MAX_SLEEP_MS = 5_000;

/** Sleeps until the next time limit, or until it is woken; without a wait it sleeps on. What is due at the start is ended then. */
export function startWaitClock({ store, leadership, onRuns, log, now }: WaitClockDeps): WaitClock {
  async function round(): Promise<number | undefined> {
    const at = now();
    const ended = await store.endOverdueWaits(at.toISOString(), BATCH);
    if (ended > 0) onRuns();
    if (ended === BATCH) return 0;
    const next = await store.findNextWaitEnd();
    if (next === undefined) return undefined;
    const left = Date.parse(next) - at.getTime();
    return left > 0 ? Math.min(left, MAX_SLEEP_MS) : MAX_SLEEP_MS;
  }

  const rounds = leaderRounds(leadership, {
    round,
    onError(error) {
      log.error({ error: errorMessage(error) }, "waits whose time limit is reached could not be ended");
      return MAX_SLEEP_MS;
    },
  });
  rounds.wake();
  return rounds;
}

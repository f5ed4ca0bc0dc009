import { leaderRounds } from "../concurrency/leader-rounds.ts";
import type { Leadership } from "../concurrency/leadership.ts";
import { errorMessage } from "../errors/error.ts";
import { createDueRuns, type FireDeps } from "./fire-due.ts";

/** Fires what is due when it is due. */
export interface Scheduler {
  /** Says that a schedule or a definition has changed. */
  wake(): void;
  /** Ends with the look that goes on now. */
  stop(): Promise<void>;
}

/** The clock of the machine may be set at any time, and nothing tells of it: so long it goes unseen at most. */
const MAX_SLEEP_MS = 5_000;
const RETRY_MS = 1_000;

/** Sleeps until the next due time, or until it is woken. */
export function startScheduler({ leadership, ...deps }: FireDeps & { leadership: Leadership }): Scheduler {
  const due = createDueRuns(deps);
  const rounds = leaderRounds(leadership, {
    async round() {
      const sleepMs = await due.look();
      // Without anything to fire there is nothing to wait for: whoever adds something wakes it.
      return sleepMs === undefined ? undefined : Math.min(Math.max(sleepMs, 1), MAX_SLEEP_MS);
    },
    onError(error) {
      deps.log.error({ error: errorMessage(error) }, "the schedules could not be checked");
      return RETRY_MS;
    },
  });
  rounds.wake();
  return {
    wake() {
      due.changed();
      rounds.wake();
    },
    stop: rounds.stop,
  };
}

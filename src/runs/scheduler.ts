import { errorMessage } from "../error.ts";
import { createDueRuns, type FireParts } from "./fire-due.ts";

/** Fires what is due when it is due. */
export interface Scheduler {
  /** Says that a schedule or a definition has changed. */
  wake(): void;
  /** Ends with the look that goes on now. */
  stop(): Promise<void>;
}

/** The clock of the machine may be set at any time, and nothing tells of it: so long it goes unseen at most. */
const LONGEST_SLEEP_MS = 5_000;
const RETRY_MS = 1_000;

/** Sleeps until the next due time, or until it is woken. */
export function startScheduler(parts: FireParts): Scheduler {
  const due = createDueRuns(parts);
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let stopped = false;

  async function look(): Promise<void> {
    clearTimeout(timer);
    let sleepMs: number | undefined;
    try {
      sleepMs = await due.look();
    } catch (error) {
      parts.log.error({ error: errorMessage(error) }, "the schedules could not be looked at");
      sleepMs = RETRY_MS;
    }
    // Without anything to fire there is nothing to wait for: whoever adds something wakes it.
    if (sleepMs === undefined || stopped) return;
    timer = setTimeout(run, Math.min(Math.max(sleepMs, 1), LONGEST_SLEEP_MS));
  }

  function run(): void {
    if (stopped) return;
    if (looking) {
      lookAgain = true;
      return;
    }
    looking = look().finally(() => {
      looking = undefined;
      if (!lookAgain) return;
      lookAgain = false;
      run();
    });
  }

  run();
  return {
    wake() {
      due.changed();
      run();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await looking;
      clearTimeout(timer);
    },
  };
}

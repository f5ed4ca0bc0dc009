export interface WakeableOptions {
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

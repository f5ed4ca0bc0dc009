import { untilAborted } from "./until-aborted.ts";

/** Runs work one piece after the other, in the order in which it was handed in. */
export interface Serial {
  /**
   * Begins immediately where nothing goes before it.
   * @param signal ends the wait for its turn; work that has begun has to watch it itself
   * @returns the outcome of this piece; a failure is its own and keeps no other piece from its turn
   */
  run<Outcome>(work: () => Promise<Outcome>, signal?: AbortSignal): Promise<Outcome>;
  /** Whether a piece runs or waits. */
  readonly isBusy: boolean;
  /** Resolves when everything that was handed in so far has ended, well or not. */
  ended(): Promise<void>;
}

export function serial(): Serial {
  let last: Promise<void> = Promise.resolve();
  let left = 0;
  return {
    async run(work, signal) {
      const before = last;
      let leave = () => {};
      last = new Promise((resolve) => {
        leave = resolve;
      });
      left += 1;
      try {
        if (left > 1) await (signal ? untilAborted(before, signal) : before);
        return await work();
      } finally {
        left -= 1;
        // One that gave up waiting keeps its place: what comes after it may not overtake what still runs.
        void before.then(leave);
      }
    },
    get isBusy() {
      return left > 0;
    },
    ended: () => last,
  };
}

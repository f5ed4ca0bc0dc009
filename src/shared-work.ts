/** Work that many ask for. Each gets the outcome of a round that began after the question; one round runs at a time. */
export type SharedWork<Outcome> = (signal: AbortSignal) => Promise<Outcome>;

interface Round<Outcome> {
  waiting: number;
  abort: AbortController;
  outcome: Promise<Outcome>;
}

/**
 * Whoever asks while a round runs shares the next one with all others who do: an answer may not be older than its
 * question, and a hundred questions at once cost two rounds. A round that nobody waits for any more is aborted.
 */
export function sharedWork<Outcome>(work: (signal: AbortSignal) => Promise<Outcome>): SharedWork<Outcome> {
  let last: Promise<unknown> | undefined;
  let next: Round<Outcome> | undefined;

  function begin(): Round<Outcome> {
    const abort = new AbortController();
    const outcome = (last ?? Promise.resolve()).then(() => {
      next = undefined;
      abort.signal.throwIfAborted();
      return work(abort.signal);
    });
    // A failure belongs to those who wait, who may all have gone.
    last = outcome.catch(() => {});
    return { waiting: 0, abort, outcome };
  }

  return async (signal) => {
    signal.throwIfAborted();
    if (!next || next.abort.signal.aborted) next = begin();
    const round = next;
    round.waiting += 1;
    try {
      return await untilAborted(round.outcome, signal);
    } finally {
      round.waiting -= 1;
      if (round.waiting === 0) {
        round.abort.abort();
        // Whoever leaves last leaves nothing behind that still works.
        await round.outcome.catch(() => {});
      }
    }
  };
}

/** What a promise comes to, or the signal's reason as soon as it is aborted. */
export function untilAborted<Outcome>(promise: Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

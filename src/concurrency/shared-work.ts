import { serial } from "./serial.ts";
import { untilAborted } from "./until-aborted.ts";

/** Work that many ask for. Each gets the outcome of a round that began after the question; one round runs at a time. */
export type SharedWork<Outcome> = (signal: AbortSignal) => Promise<Outcome>;

interface Round<Outcome> {
  waiting: number;
  abort: AbortController;
  outcome: Promise<Outcome>;
}

/**
 * Anyone who asks while a round runs shares the next one with all others who do: an answer may not be older than its
 * question, and a hundred questions at once cost two rounds. A round that no one waits for any more is aborted.
 */
export function sharedWork<Outcome>(work: (signal: AbortSignal) => Promise<Outcome>): SharedWork<Outcome> {
  const rounds = serial();
  let next: Round<Outcome> | undefined;

  function begin(): Round<Outcome> {
    const abort = new AbortController();
    const outcome = rounds.run(async () => {
      // A round that has begun is nobody's next one any more, and `next` becomes this one only after this call.
      await undefined;
      next = undefined;
      abort.signal.throwIfAborted();
      return work(abort.signal);
    });
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
        // The last caller to leave leaves no work behind.
        await round.outcome.catch(() => {});
      }
    }
  };
}

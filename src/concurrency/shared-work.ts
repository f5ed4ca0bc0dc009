import { untilAborted } from "./promises.ts";

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

/** Gets what is costly to find out. */
export type Seldom = <Found>(key: string, find: () => Promise<Found>) => Promise<Found>;

/**
 * Finds out what is costly for many who ask at a time, and again only after a rest that is so many times as long as that took: then
 * it is done in a small part of the time, however many ask.
 */
export function seldom(restFactor: number, now: () => Date): Seldom {
  const known = new Map<string, { until: number; found: Promise<unknown> }>();
  return <Found>(key: string, find: () => Promise<Found>): Promise<Found> => {
    const before = known.get(key);
    if (before && now().getTime() < before.until) return before.found as Promise<Found>;
    for (const [old, { until }] of known) if (until <= now().getTime()) known.delete(old);
    const began = performance.now();
    const found = find();
    const entry = { until: Number.POSITIVE_INFINITY, found };
    known.set(key, entry);
    const rest = () => {
      entry.until = now().getTime() + restFactor * (performance.now() - began);
    };
    found.then(rest, () => known.delete(key));
    return found;
  };
}

/** What replaces what went on under the same name. */
export interface Replacing {
  /** Begins something: aborts the signal of what was begun under this name before. */
  begin(name: string): AbortSignal;
  /** Says that what was begun with a signal is over. */
  end(name: string, signal: AbortSignal): void;
}

/** Has one thing at a time go on under each name: the last that was begun. */
export function createReplacing(): Replacing {
  const current = new Map<string, AbortController>();
  return {
    begin(name) {
      current.get(name)?.abort();
      const begun = new AbortController();
      current.set(name, begun);
      return begun.signal;
    },
    end(name, signal) {
      if (current.get(name)?.signal === signal) current.delete(name);
    },
  };
}

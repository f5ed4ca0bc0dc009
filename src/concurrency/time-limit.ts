/** A limit of time that is one of several reasons to end something. */
export interface TimeLimit {
  /** Aborts when the time is up, or with one of the others. */
  signal: AbortSignal;
  /** Lets go of the clock. */
  end(): void;
}

/**
 * Begins a limit of time. `AbortSignal.any` with `AbortSignal.timeout` is no limit with Node 20: when nothing else refers to the
 * timeout, it goes away with the next collection of memory (https://github.com/nodejs/node/issues/57736). Here the clock holds it.
 */
export function timeLimit(ms: number, ...others: AbortSignal[]): TimeLimit {
  const late = new AbortController();
  const clock = setTimeout(
    () => late.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")),
    ms,
  );
  clock.unref();
  return { signal: AbortSignal.any([...others, late.signal]), end: () => clearTimeout(clock) };
}

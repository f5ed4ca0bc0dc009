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

/** What a promise comes to, or the signal's reason as soon as it is aborted. */
export function untilAborted<Outcome>(promise: Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** A promise with what settles it. */
export interface Deferred<Value> {
  promise: Promise<Value>;
  /** Settles the promise; all calls but the first have no effect. */
  resolve(value: Value): void;
}

/**
 * A promise that someone else settles: what the one learns by an event, the other waits for.
 * `Promise.withResolvers` is the same, from Node 22 on.
 */
export function deferred<Value>(): Deferred<Value> {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return {
    promise,
    resolve(value) {
      resolve(value);
    },
  };
}

/**
 * Begins pieces of work, one of them in each turn of the event loop: what others wait for comes in between, however many pieces
 * there are. The first one begins at once.
 */
export function oneATurn(): (work: () => void) => void {
  const waiting: (() => void)[] = [];
  let hasBegun = false;
  function beginNext(): void {
    const work = waiting.shift();
    hasBegun = work !== undefined;
    if (!work) return;
    setImmediate(beginNext);
    work();
  }
  return (work) => {
    waiting.push(work);
    if (!hasBegun) beginNext();
  };
}

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

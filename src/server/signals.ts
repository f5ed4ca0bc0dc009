import type { Factory } from "../reconcile/running-factory.ts";

/** Something that one part of a server says, and that others hear as soon as they have started. */
export interface Signal<Values extends unknown[] = []> {
  /** Calls the listeners in the order in which they came. Without any, nothing happens. */
  send(...values: Values): void;
  listen(listener: (...values: Values) => void): void;
}

export function createSignal<Values extends unknown[] = []>(): Signal<Values> {
  const listeners: ((...values: Values) => void)[] = [];
  return {
    send(...values) {
      for (const listener of listeners) listener(...values);
    },
    listen: (listener) => void listeners.push(listener),
  };
}

/** What parts of a server say to parts that start after them. */
export function createSignals() {
  return {
    /** The store has found the disk full. */
    diskFull: createSignal(),
    /** Another server has committed something, and whether runs may be concerned that execute here. */
    committedElsewhere: createSignal<[isNews: boolean]>(),
    /** The active definitions of all factories, one of which was replaced. */
    activated: createSignal<[factories: readonly Factory[]]>(),
    /** A pass over the factory with this UID has ended. */
    reconciled: createSignal<[uid: string]>(),
    /** Runs or schedules may start that could not before. */
    startable: createSignal(),
    /** A run has begun to wait for others. */
    waiting: createSignal(),
  };
}

import { setTimeout as sleep } from "node:timers/promises";

export interface WorkQueueOptions {
  /** Does what a key stands for. @param failures how often it has failed before */
  work(key: string, failures: number): Promise<void>;
  /** Decides what becomes of a failure. @returns after how many milliseconds to try again; nothing for never */
  onFailure(key: string, error: unknown, failures: Failures): number | undefined;
  /** Ends what goes on when it is aborted. */
  signal: AbortSignal;
}

export interface Failures {
  count: number;
  /** Since the first of them. */
  forMs: number;
}

/** Work that is told by keys: what waits under a key is done once, however often it is asked for. */
export interface WorkQueue {
  add(key: string): void;
  readonly waiting: number;
  /** Resolves when nothing goes on any more; its signal has to be aborted before. */
  ended(): Promise<void>;
}

interface Item {
  key: string;
  dueAt: number;
  failures: number;
  firstFailureAt: number;
}

/** Does one thing at a time, in the order in which it is due. What fails waits, and keeps nothing else from its turn. */
export function createWorkQueue({ work, onFailure, signal }: WorkQueueOptions): WorkQueue {
  const items = new Map<string, Item>();
  let changed = new AbortController();
  let running: string | undefined;

  /** The one that is due first, whenever that is; of those that are due already, the one that has waited longest. */
  function next(): Item | undefined {
    let found: Item | undefined;
    for (const item of items.values()) if (!found || item.dueAt < found.dueAt) found = item;
    return found;
  }

  async function untilDue(item: Item | undefined): Promise<void> {
    changed = new AbortController();
    const wake = AbortSignal.any([changed.signal, signal]);
    const delay = item ? Math.max(0, item.dueAt - performance.now()) : 2 ** 31 - 1;
    await sleep(delay, undefined, { signal: wake, ref: false }).catch(() => {});
  }

  async function attempt(item: Item): Promise<void> {
    items.delete(item.key);
    running = item.key;
    try {
      await work(item.key, item.failures);
    } catch (error) {
      if (!signal.aborted) repeat(item, error);
    } finally {
      running = undefined;
    }
  }

  /** Whoever has asked meanwhile starts afresh. */
  function repeat(item: Item, error: unknown): void {
    const now = performance.now();
    const firstFailureAt = item.failures === 0 ? now : item.firstFailureAt;
    const failures = item.failures + 1;
    const delay = onFailure(item.key, error, { count: failures, forMs: now - firstFailureAt });
    if (delay === undefined || items.has(item.key)) return;
    items.set(item.key, { key: item.key, dueAt: now + delay, failures, firstFailureAt });
  }

  const working = (async () => {
    while (!signal.aborted) {
      const item = next();
      if (item && item.dueAt <= performance.now()) await attempt(item);
      else await untilDue(item);
    }
  })();

  return {
    add(key) {
      items.delete(key);
      items.set(key, { key, dueAt: performance.now(), failures: 0, firstFailureAt: 0 });
      changed.abort();
    },
    get waiting() {
      return items.size + (running === undefined ? 0 : 1);
    },
    ended: () => working,
  };
}

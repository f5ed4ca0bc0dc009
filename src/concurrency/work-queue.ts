import { wakeable } from "./rounds.ts";

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
  /** Asks for work: at once, also for what has failed and waits. */
  add(key: string): void;
  /** Asks for work unless it waits already, or goes on: what has failed is not tried earlier. */
  ensure(key: string): void;
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

/**
 * Does one thing at a time, in the order in which it is due. What fails waits, and keeps nothing else from its turn.
 */
export function createWorkQueue({ work, onFailure, signal }: WorkQueueOptions): WorkQueue {
  const items = new Map<string, Item>();
  let running: string | undefined;

  /** The one that is due first, whenever that is; of those that are due already, the one that has waited longest. */
  function next(): Item | undefined {
    let found: Item | undefined;
    for (const item of items.values()) if (!found || item.dueAt < found.dueAt) found = item;
    return found;
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

  /** A caller that has asked in the meantime starts afresh. */
  function repeat(item: Item, error: unknown): void {
    const now = performance.now();
    const firstFailureAt = item.failures === 0 ? now : item.firstFailureAt;
    const failures = item.failures + 1;
    const delay = onFailure(item.key, error, { count: failures, forMs: now - firstFailureAt });
    if (delay === undefined || items.has(item.key)) return;
    items.set(item.key, { key: item.key, dueAt: now + delay, failures, firstFailureAt });
  }

  const rounds = wakeable({
    async round() {
      // What is asked for in the same moment is done once.
      await undefined;
      for (let item = next(); item && !signal.aborted; item = next()) {
        const restMs = item.dueAt - performance.now();
        if (restMs > 0) return restMs;
        await attempt(item);
      }
      return undefined;
    },
    onError(error) {
      throw error;
    },
  });

  function add(key: string): void {
    items.delete(key);
    items.set(key, { key, dueAt: performance.now(), failures: 0, firstFailureAt: 0 });
    rounds.wake();
  }

  return {
    add,
    ensure(key) {
      if (!items.has(key) && running !== key) add(key);
    },
    get waiting() {
      return items.size + (running === undefined ? 0 : 1);
    },
    ended: rounds.stop,
  };
}

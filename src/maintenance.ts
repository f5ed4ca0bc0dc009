import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "./error.ts";
import type { Log } from "./log.ts";

const EVERY_MS = 10 * 60_000;
/** So many rows at a time, with a pause after each batch: others wait for a transaction of this size at most. */
const BATCH = 50;
const PAUSE_MS = 20;

/** Something that would grow for ever. */
export interface Chore {
  /** What it is about, for the log: "the delivery log". */
  about: string;
  /** Deletes what is due, in batches. */
  prune(signal: AbortSignal): Promise<void>;
}

/** Does chores from now on and every ten minutes, each to its end; one that fails keeps no other. @returns its end */
export function startMaintenance(chores: readonly Chore[], log: Log): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const working = (async () => {
    while (!signal.aborted) {
      for (const { about, prune } of chores) {
        await prune(signal).catch((error) =>
          log.warn({ error: errorMessage(error) }, `${about} could not be pruned`),
        );
      }
      await sleep(EVERY_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  })();
  return async () => {
    stopping.abort();
    await working;
  };
}

/** Repeats what does at most a batch at a time until there is less than one left. */
export async function inBatches(
  work: (limit: number) => Promise<number>,
  signal: AbortSignal | undefined,
  batch = BATCH,
): Promise<void> {
  while (!signal?.aborted && (await work(batch)) === batch) await sleep(PAUSE_MS);
}

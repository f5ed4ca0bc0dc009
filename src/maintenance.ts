import { setTimeout as sleep } from "node:timers/promises";

const EVERY_MS = 10 * 60_000;
/** So many rows at a time, with a pause after each batch: others wait for a transaction of this size at most. */
export const BATCH = 50;
const PAUSE_MS = 20;

/** Does some work from now on and every ten minutes, each time to its end. @returns its end */
export function startMaintenance(
  work: (signal: AbortSignal) => Promise<void>,
  onFailure: (error: unknown) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  const working = (async () => {
    while (!stopping.signal.aborted) {
      await work(stopping.signal).catch(onFailure);
      await sleep(EVERY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  })();
  return async () => {
    stopping.abort();
    await working;
  };
}

/** Repeats what does at most a batch at a time until there is less than one left. */
export async function inBatches(work: () => Promise<number>, signal: AbortSignal | undefined): Promise<void> {
  while (!signal?.aborted && (await work()) === BATCH) await sleep(PAUSE_MS);
}

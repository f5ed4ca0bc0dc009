import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../errors/error.ts";
import type { Log } from "../log.ts";
import { type Leadership, wakeable } from "./rounds.ts";

const EVERY_MS = 10 * 60_000;
/** So many rows at a time, with a pause after each batch: others wait for a transaction of this size at most. */
const BATCH = 50;
const PAUSE_MS = 20;

/** Something that would grow for ever. */
export interface PeriodicJob {
  /** What it is about, for the log: "the delivery log". */
  about: string;
  /** Whether one server does it for all that share a store. */
  isForLeader?: boolean;
  /** Deletes what is due, in batches. */
  prune(signal: AbortSignal): Promise<void>;
}

/** Does the jobs now and every ten minutes, one after the other; one that fails does not stop the others. @returns what ends them */
export function startPeriodicJobs(
  jobs: readonly PeriodicJob[],
  leadership: Leadership,
  log: Log,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const rounds = wakeable({
    async round() {
      for (const { about, prune, isForLeader } of jobs) {
        if (isForLeader && !leadership.isLeader()) continue;
        await prune(signal).catch((error) =>
          log.warn({ error: errorMessage(error) }, `${about} could not be pruned`),
        );
      }
      return EVERY_MS;
    },
    onError: () => EVERY_MS,
  });
  rounds.wake();
  leadership.onLeading(rounds.wake);
  return () => {
    stopping.abort();
    return rounds.stop();
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

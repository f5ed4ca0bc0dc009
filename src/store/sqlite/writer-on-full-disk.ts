import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CallOutcome } from "../group-commit.ts";
import type { StoreCall } from "../store-call.ts";
import { freeReserve, isDiskFull } from "./disk-reserve.ts";

/** A program that fills the disk takes what has just become free, until it is ended. */
const ATTEMPTS = 25;
const BETWEEN_ATTEMPTS_MS = 100;
/** A disk that stays full is not waited for at each write. */
const WAITED_EVERY_MS = 30_000;

export interface FullDiskOptions {
  /** Disk space that is reserved for the store. */
  reserve: string;
  carryOut(calls: readonly StoreCall[]): Promise<CallOutcome[]>;
  /** The disk was found full, and what was reserved is free now. */
  onFull(): void;
}

/**
 * Carries out calls, also on a full disk: then the space that is reserved for the store is freed, and calls that failed for lack
 * of space are tried again for a while.
 */
export function writerOnFullDisk({ reserve, carryOut, onFull }: FullDiskOptions) {
  let waitedAt = Number.NEGATIVE_INFINITY;

  return async (calls: readonly StoreCall[]): Promise<CallOutcome[]> => {
    const outcomes = await carryOut(calls);
    if (!outcomes.some(lacksSpace) || !isDiskFull(dirname(reserve))) return outcomes;
    const isFreed = freeReserve(reserve);
    onFull();
    if (!isFreed && performance.now() < waitedAt + WAITED_EVERY_MS) return outcomes;
    for (let attempt = 0; attempt < ATTEMPTS && outcomes.some(lacksSpace); attempt += 1) {
      if (attempt > 0 || !isFreed) await sleep(BETWEEN_ATTEMPTS_MS);
      // The others of the same batch were committed.
      const failed = [...outcomes.keys()].filter((index) => lacksSpace(outcomes[index]));
      const again = await carryOut(failed.flatMap((index) => calls[index] ?? []));
      for (const [position, index] of failed.entries()) outcomes[index] = again[position] as CallOutcome;
    }
    waitedAt = outcomes.some(lacksSpace) ? performance.now() : Number.NEGATIVE_INFINITY;
    return outcomes;
  };
}

function lacksSpace(outcome: CallOutcome | undefined): boolean {
  return outcome !== undefined && "failure" in outcome && outcome.failure.storeFailed;
}

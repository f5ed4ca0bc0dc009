import { setTimeout as sleep } from "node:timers/promises";
import { StoreUnavailable } from "../../errors/error.ts";
import type { Log } from "../../log.ts";
import type { Run } from "../run.ts";

const RETRY_MS = 1_000;

/** How long the store is waited for. */
export interface StorePatience {
  /** Aborts when nobody waits any more. */
  until: AbortSignal;
  /** Hears that the store is away. */
  onAway(): void;
}

/** Waits until one of the signals aborts. */
export function patienceWith(
  { id }: Pick<Run, "id">,
  log: Pick<Log, "warn">,
  ...ends: AbortSignal[]
): StorePatience {
  return {
    until: AbortSignal.any(ends),
    onAway: () => log.warn({ run: id }, "the store is away; the turn of this run waits for it"),
  };
}

/** Nobody waits any more for the store, which is away: the turn is ended, or is somebody else's. */
export class TurnGivenUp extends Error {
  override name = "TurnGivenUp";
}

/**
 * Makes a call of a turn, again and again while the store is away: that is no reason to end the turn.
 * @throws TurnGivenUp, or what the call throws otherwise
 */
export async function awaitStore<Answer>(
  call: () => Promise<Answer>,
  { until, onAway }: StorePatience,
): Promise<Answer> {
  for (let isAway = false; ; isAway = true) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
    if (!isAway) onAway();
    await sleep(RETRY_MS, undefined, { signal: until }).catch(() => {});
    if (until.aborted) throw new TurnGivenUp();
  }
}

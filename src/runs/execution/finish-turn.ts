import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../../errors/error.ts";
import type { Log } from "../../log.ts";
import type { Claim, Ending, RunStore } from "../run.ts";
import type { TurnMeter } from "../turn-meter.ts";

/** A claim with the instant at which its agent was started. */
export interface StartedTurn extends Claim {
  startedAt: Date | undefined;
}

interface FinishDeps {
  store: Pick<RunStore, "finish">;
  meter: Pick<TurnMeter, "ended">;
  log: Log;
  now: () => Date;
}

const STORE_RETRY_MS = 1_000;

/**
 * A run whose end cannot be stored now (a full disk) would be in progress for ever, so this is tried until it works.
 */
export async function finishTurn(
  { run, ticket, startedAt }: StartedTurn,
  ending: Ending,
  deps: FinishDeps,
  stop: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      const at = deps.now();
      const state = await deps.store.finish({ id: run.id, ticket }, ending, at.toISOString());
      if (state) deps.meter.ended(run, state, startedAt && at.getTime() - startedAt.getTime());
      deps.log.info({ run: run.id, turn: run.turn, state, title: run.title }, "turn ended");
      return;
    } catch (error) {
      deps.log.error({ run: run.id, error: errorMessage(error) }, "the outcome of a run could not be stored");
      if (stop.aborted) return;
      await sleep(STORE_RETRY_MS);
    }
  }
}

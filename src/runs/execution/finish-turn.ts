import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../../errors/error.ts";
import type { Log } from "../../log.ts";
import type { Claim, Ending, RunStore } from "../run.ts";

interface FinishDeps {
  store: Pick<RunStore, "finish">;
  log: Log;
  now: () => Date;
}

const STORE_RETRY_MS = 1_000;

/**
 * A run whose end cannot be stored now (a full disk) would be in progress for ever, so this is tried until it works.
 */
export async function finishTurn(
  { run, ticket }: Claim,
  ending: Ending,
  deps: FinishDeps,
  stop: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      await deps.store.finish({ id: run.id, ticket }, ending, deps.now().toISOString());
      deps.log.info({ run: run.id, turn: run.turn }, "turn ended");
      return;
    } catch (error) {
      deps.log.error({ run: run.id, error: errorMessage(error) }, "the outcome of a run could not be stored");
      if (stop.aborted) return;
      await sleep(STORE_RETRY_MS);
    }
  }
}

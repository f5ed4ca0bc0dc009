import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../../errors/error.ts";
import type { Log } from "../../log.ts";
import type { Ending } from "../../runs/run.ts";
import type { TurnDoor } from "../../runs/turn/turn-door.ts";

const RETRY_MS = 1_000;

/**
 * Tells how a turn ended. A run whose end cannot be stored now (a full disk) would be in progress for ever, so this is tried
 * until it works.
 * @returns whether it was stored: a process that ends does not wait for that
 */
export async function finishTurn(
  runId: string,
  ending: Ending,
  door: Pick<TurnDoor, "finish">,
  log: Log,
  stop: AbortSignal,
): Promise<boolean> {
  for (;;) {
    try {
      await door.finish(ending);
      return true;
    } catch (error) {
      log.error({ run: runId, error: errorMessage(error) }, "the outcome of a run could not be stored");
      if (stop.aborted) return false;
      await sleep(RETRY_MS);
    }
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { untilAborted } from "../../concurrency/until-aborted.ts";
import { errorMessage } from "../../errors/error.ts";

/** How the answer of a server begins whose own mirror is not up to date yet, which may take longer than an answer may. */
export const BEING_UPDATED = "The server is fetching from the forge for its mirror of";

const BETWEEN_MS = 2_000;

/** Asks a remote again for as long as it answers that its own mirror is being brought up to date. */
export async function askWhileUpdating(
  ask: () => Promise<void>,
  signal: AbortSignal,
  betweenMs = BETWEEN_MS,
): Promise<void> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!errorMessage(error).includes(BEING_UPDATED)) throw error;
      await untilAborted(sleep(betweenMs, undefined, { ref: false }), signal);
    }
  }
}

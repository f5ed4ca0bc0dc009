import { setTimeout as sleep } from "node:timers/promises";
import { untilAborted } from "../../concurrency/until-aborted.ts";
import { errorMessage } from "../../errors/error.ts";

/** What the answer of a server says that serves its own mirror, when it cannot do so yet. */
export const ASK_AGAIN = "Ask this server of clones again shortly.";

/**
 * What git says of a fetch whose list of refs was answered, and whose objects were not: the server was busy in between, or
 * what was listed was replaced by a forced push.
 */
const IN_BETWEEN = /RPC failed; HTTP 503|upload-pack: not our ref/;
const MAX_IN_BETWEEN = 20;
const PAUSE_MS = 2_000;

/**
 * Asks a remote, and asks again for as long as it wants that. A server's own fetch from a forge may take longer than proxies
 * and git wait for an answer.
 */
export async function askAgain(
  ask: () => Promise<void>,
  signal: AbortSignal,
  pauseMs = PAUSE_MS,
): Promise<void> {
  for (let inBetween = 0; ; ) {
    try {
      return await ask();
    } catch (error) {
      const said = errorMessage(error);
      if (IN_BETWEEN.test(said)) inBetween += 1;
      else if (!said.includes(ASK_AGAIN)) throw error;
      if (inBetween > MAX_IN_BETWEEN) throw error;
      await untilAborted(sleep(pauseMs, undefined, { ref: false }), signal);
    }
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { untilAborted } from "../../concurrency/promises.ts";
import { errorMessage } from "../../errors/error.ts";

/** What the answer of a server says that serves its own mirror, when it cannot do so yet. */
export const ASK_AGAIN = "Ask this server of clones again shortly.";

/** What it says when it cannot, for a reason that only its log has. It may be out of order in this alone, and is not asked for ever. */
export const SERVER_FAILED = "The server failed to answer.";

/**
 * What git says of a fetch whose list of refs was answered, and whose objects were not: the server was busy in between, or
 * what was listed was replaced by a forced push.
 */
const IN_BETWEEN = /RPC failed; HTTP 503|upload-pack: not our ref/;
const MAX_IN_BETWEEN = 20;
/** What git says when it has not been answered, or not by the server: what is in between says 5xx. */
const UNREACHED = /unable to access (?!.*(returned error: [34]|certificate|CONNECT))/;
/** What git says when the connection is gone in the middle of an answer. */
const CUT = /RPC failed; (curl|HTTP 5)|early EOF|hung up unexpectedly|unexpected disconnect/;
const PAUSE_MS = 2_000;

interface AskAgainOptions {
  pauseMs?: number;
  /** Whether the remote is the server of a worker. It may be started again at any time, and is waited for as by all other calls. */
  isServer?: boolean;
}

/**
 * Asks a remote, and asks again for as long as it wants that. A server's own fetch from a forge may take longer than proxies
 * and git wait for an answer.
 */
export async function askAgain(
  ask: () => Promise<void>,
  signal: AbortSignal,
  { pauseMs = PAUSE_MS, isServer = false }: AskAgainOptions = {},
): Promise<void> {
  for (let inBetween = 0; ; ) {
    try {
      return await ask();
    } catch (error) {
      const said = errorMessage(error);
      const isBroken = isServer && said.includes(SERVER_FAILED);
      const isUnreached = said.includes(ASK_AGAIN) || (isServer && !isBroken && UNREACHED.test(said));
      if (isBroken || IN_BETWEEN.test(said) || (isServer && !isUnreached && CUT.test(said))) inBetween += 1;
      else if (!isUnreached) throw error;
      if (inBetween > MAX_IN_BETWEEN) throw error;
      await untilAborted(sleep(pauseMs, undefined, { ref: false }), signal);
    }
  }
}

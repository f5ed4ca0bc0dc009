import type { IncomingMessage } from "node:http";
import { minuteBudget } from "../../../concurrency/budget.ts";
import { clientAddress } from "../../../edge/client-address.ts";
import { MillraceError } from "../../../errors/error.ts";

export interface AuthLimitSettings {
  failedAuthPerMinute: number;
  /** Proxies whose X-Forwarded-For is believed. */
  trustProxy: readonly string[];
}

/** Counts requests without a key that is in force, by the address that they come from. */
export interface AuthLimit {
  /** What such a request is answered with: `error`, or `rate_limited` when there were too many within a minute. */
  refusal(request: IncomingMessage, error: MillraceError): MillraceError;
}

/**
 * The budget lasts as long as the process. A right key passes whatever its address has used up, so that one guesser does
 * not lock out everybody behind the same router; that it shows when a guess was right is no help against 238 random bits.
 */
export function createAuthLimit(settings: AuthLimitSettings): AuthLimit {
  const budget = minuteBudget(settings.failedAuthPerMinute, () => performance.now());
  const addressOf = clientAddress(settings.trustProxy);
  return {
    refusal(request, error) {
      const address = addressOf(request);
      const seconds = budget.blockedFor(address);
      if (seconds > 0) return tooManyFailures(seconds);
      budget.count(address);
      return error;
    },
  };
}

function tooManyFailures(seconds: number): MillraceError {
  return new MillraceError(
    "rate_limited",
    "This address has sent too many requests without a valid API key within a minute.",
    { remedy: "Send a valid key, which is accepted immediately, or wait.", retryAfter: seconds },
  );
}

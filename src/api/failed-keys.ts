import type { IncomingMessage } from "node:http";
import { MillraceError } from "../error.ts";
import { failureBudget } from "../ingress/budget.ts";
import { clientAddress } from "../ingress/client-address.ts";

export interface FailedKeySettings {
  failedAuthPerMinute: number;
  /** Proxies whose X-Forwarded-For is believed. */
  trustProxy: readonly string[];
}

/** Counts requests without a key that is in force, by the address that they come from. */
export interface FailedKeys {
  /** What such a request is answered with: `error`, or `rate_limited` when there were too many within a minute. */
  refusal(request: IncomingMessage, error: MillraceError): MillraceError;
}

/**
 * The budget lasts as long as the process. A right key passes whatever its address has used up, so that one guesser does
 * not lock out everybody behind the same router; that it shows when a guess was right is no help against 238 random bits.
 */
export function createFailedKeys(settings: FailedKeySettings): FailedKeys {
  const budget = failureBudget(settings.failedAuthPerMinute, () => performance.now());
  const addressOf = clientAddress(settings.trustProxy);
  return {
    refusal(request, error) {
      const address = addressOf(request);
      const seconds = budget.blockedFor(address);
      if (seconds > 0) return tooMany(seconds);
      budget.fail(address);
      return error;
    },
  };
}

function tooMany(seconds: number): MillraceError {
  return new MillraceError(
    "rate_limited",
    "Too many requests without a valid API key have come from this address within a minute.",
    { remedy: "Send a key that is in force, which is let in at once; or wait.", retryAfter: seconds },
  );
}

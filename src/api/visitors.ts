import type { IncomingMessage } from "node:http";
import { MillraceError } from "../error.ts";
import { failureBudget } from "../ingress/budget.ts";
import { clientAddress } from "../ingress/client-address.ts";

/** What anybody may ask for without a key, an address may ask for so often within a minute. */
const MOST_PER_MINUTE = 60;

/** Those who ask for what needs no key. */
export interface Visitors {
  /** @throws MillraceError `rate_limited` when the address has asked too often within a minute */
  admit(request: IncomingMessage): void;
}

export function createVisitors({ trustProxy }: { trustProxy: readonly string[] }): Visitors {
  const budget = failureBudget(MOST_PER_MINUTE, () => performance.now());
  const addressOf = clientAddress(trustProxy);
  return {
    admit(request) {
      const address = addressOf(request);
      const seconds = budget.blockedFor(address);
      if (seconds > 0) throw tooMany(seconds);
      budget.fail(address);
    },
  };
}

function tooMany(seconds: number): MillraceError {
  return new MillraceError(
    "rate_limited",
    `This address has asked ${MOST_PER_MINUTE} times within a minute for what needs no key.`,
    { remedy: "Wait; `millrace validate` checks a folder without a server.", retryAfter: seconds },
  );
}

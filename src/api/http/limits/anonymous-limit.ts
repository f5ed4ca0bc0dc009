import type { IncomingMessage } from "node:http";
import { minuteBudget } from "../../../concurrency/budget.ts";
import { clientAddress } from "../../../edge/client-address.ts";
import { MillraceError } from "../../../errors/error.ts";

/** What anybody may ask for without a key, an address may ask for so often within a minute. */
const MAX_PER_MINUTE = 60;

/** Those who ask for what needs no key. */
export interface AnonymousLimit {
  /** @throws MillraceError `rate_limited` when the address has asked too often within a minute */
  admit(request: IncomingMessage): void;
}

export function createAnonymousLimit({ trustProxy }: { trustProxy: readonly string[] }): AnonymousLimit {
  const budget = minuteBudget(MAX_PER_MINUTE, () => performance.now());
  const addressOf = clientAddress(trustProxy);
  return {
    admit(request) {
      const address = addressOf(request);
      const seconds = budget.blockedFor(address);
      if (seconds > 0) throw tooMany(seconds);
      budget.count(address);
    },
  };
}

function tooMany(seconds: number): MillraceError {
  return new MillraceError(
    "rate_limited",
    `This address has sent ${MAX_PER_MINUTE} requests without a key within a minute, which is the limit.`,
    {
      remedy: "Wait and try again; `millrace validate` checks a folder without a server.",
      retryAfter: seconds,
    },
  );
}

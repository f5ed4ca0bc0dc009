import type { IncomingMessage } from "node:http";
import { minuteBudget } from "../../../concurrency/budget.ts";
import { clientAddress } from "../../../edge/client-address.ts";
import { MillraceError } from "../../../errors/error.ts";

/** What anybody may ask for without a key, an address may ask for so often within a minute. */
const MAX_PER_MINUTE = 60;
/** A page costs as good as nothing, and who follows its links asks for a hundred. */
const MAX_PAGES_PER_MINUTE = 300;

/** Those who ask for what needs no key. */
export interface AnonymousLimit {
  /** @throws MillraceError `rate_limited` when the address has asked too often within a minute */
  admit(request: IncomingMessage): void;
  /** The same for a page of text. */
  admitToPage(request: IncomingMessage): void;
}

export function createAnonymousLimit({ trustProxy }: { trustProxy: readonly string[] }): AnonymousLimit {
  const addressOf = clientAddress(trustProxy);
  const within = (perMinute: number, asked: string, remedy: string) => {
    const budget = minuteBudget(perMinute, () => performance.now());
    return (request: IncomingMessage) => {
      const address = addressOf(request);
      const retryAfter = budget.blockedFor(address);
      if (retryAfter > 0) throw tooManyRequests(`${perMinute} ${asked}`, { remedy, retryAfter });
      budget.count(address);
    };
  };
  return {
    admit: within(
      MAX_PER_MINUTE,
      "requests without a key",
      "Wait and try again; `millrace validate` checks a folder without a server.",
    ),
    admitToPage: within(
      MAX_PAGES_PER_MINUTE,
      "requests for pages of text",
      "Wait and try again; the package contains the same pages in its folder docs/.",
    ),
  };
}

function tooManyRequests(what: string, options: { remedy: string; retryAfter: number }): MillraceError {
  return new MillraceError(
    "rate_limited",
    `This address has sent ${what} within a minute, which is the limit.`,
    options,
  );
}

import type { IncomingMessage } from "node:http";
import { minuteBudget } from "../../concurrency/budget.ts";
import { clientAddress } from "../../edge/client-address.ts";
import { MillraceError } from "../../errors/error.ts";
import type { AuditStore } from "../../principals/audit.ts";
import { createOpenCalls, type OpenCalls } from "./open-calls.ts";
import { createRefusalLog, createWriteLimits, type RefusalLog, type WriteLimits } from "./write-limits.ts";

/** What bounds the callers of the API: strangers, wrong keys, the tokens of runs, sign-ins, open and refused calls. */
export interface CallerLimits {
  authLimit: AuthLimit;
  anonymousLimit: AnonymousLimit;
  writeLimits: WriteLimits;
  openCalls: OpenCalls;
  refusals: RefusalLog;
}

/**
 * The limits last as long as the process.
 * @param connections how many may be open
 */
export function createCallerLimits(
  settings: AuthLimitSettings,
  audit: Pick<AuditStore, "record" | "correct" | "repeat">,
  connections: number,
): CallerLimits {
  return {
    authLimit: createAuthLimit(settings),
    anonymousLimit: createAnonymousLimit(settings),
    writeLimits: createWriteLimits(),
    openCalls: createOpenCalls({ connections }),
    refusals: createRefusalLog(audit),
  };
}

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

function createAnonymousLimit({ trustProxy }: { trustProxy: readonly string[] }): AnonymousLimit {
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

interface AuthLimitSettings {
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

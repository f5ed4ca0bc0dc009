import type { IncomingMessage } from "node:http";
import { minuteBudget } from "../concurrency/budget.ts";
import type { MillraceError } from "../errors/error.ts";
import { exactAddress, networkOf } from "./client-address.ts";
import { type BodyReaderOptions, bodyReader, type ReadBody, SenderGone } from "./read-body.ts";

export interface GuardSettings {
  failedAuthPerMinute: number;
  /** Proxies whose X-Forwarded-For is believed. */
  trustProxy: readonly string[];
}

export interface GuardOptions extends BodyReaderOptions {
  /** What a sender is answered who is blocked for so many whole seconds, 1..60. */
  blocked(retryAfter: number): MillraceError;
}

/** What stands before everything that takes requests from senders without a key. Its budgets last as long as the process. */
export interface Guard {
  /**
   * @param target failures are counted for it and an address: nobody fails in another's name
   * @param onFailure hears of each failure
   */
  enter(request: IncomingMessage, target: string, onFailure?: (reason: string) => void): GuardedRequest;
}

/** A request of a sender who has proved nothing yet. */
export interface GuardedRequest {
  /** Who sent it, behind proxies that are trusted. */
  readonly address: string;
  /** @throws MillraceError for a sender who has failed too often within a minute */
  requireNotBlocked(): void;
  /** Counts a failure of the sender. */
  fail(reason: string): void;
  /**
   * Reads the body as `bodyReader` does; the sender is not blocked where it is too large.
   * @param isUnproven whether nothing has proved the sender yet: then a body that it does not send properly is a failure
   */
  readBody(options?: { isUnproven?: boolean }): ReturnType<ReadBody>;
}

export function createGuard(
  { failedAuthPerMinute, trustProxy }: GuardSettings,
  options: GuardOptions,
): Guard {
  const failures = minuteBudget(failedAuthPerMinute, () => performance.now());
  const addressOf = exactAddress(trustProxy);
  const readBody = bodyReader(options);
  return {
    enter(request, target, onFailure) {
      const address = addressOf(request);
      const sender = `${target} ${networkOf(address)}`;
      const requireNotBlocked = () => {
        const seconds = failures.blockedFor(sender);
        if (seconds > 0) throw options.blocked(seconds);
      };
      const fail = (reason: string) => {
        failures.count(sender);
        onFailure?.(reason);
      };
      return {
        address,
        requireNotBlocked,
        fail,
        async readBody({ isUnproven = true } = {}) {
          const body = await readBody(request).catch((error) => {
            // What the server has no room for is not the sender's doing.
            if (isUnproven && error instanceof SenderGone) fail("the body was not sent completely");
            throw error;
          });
          if ("bytes" in body) return body;
          // Again: while this body was being read, others of the same address may have used up what there was to try.
          requireNotBlocked();
          if (isUnproven) fail("the body is too large");
          return body;
        },
      };
    },
  };
}

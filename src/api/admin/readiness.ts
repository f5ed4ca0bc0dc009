import { setTimeout as sleep } from "node:timers/promises";
import { MillraceError } from "../../errors/error.ts";
import type { Log } from "../../log.ts";

/** Whether this server wants requests, as load balancers ask at `/readyz`. */
export interface Readiness {
  /** Somebody asks. @throws MillraceError `service_unavailable` when the server is stopping */
  check(): void;
  /** From now on it wants none. */
  end(): void;
  /** Resolves when load balancers have had the time to notice that it has ended; at once where none asks, or there is no other server. */
  noticed(): Promise<void>;
}

export interface ReadinessDeps {
  /** Whether a load balancer can send requests to another server. */
  hasOthers: boolean;
  log: Pick<Log, "info">;
}

/** Who has not asked for so long is no load balancer. */
const ASKS_WITHIN_MS = 30_000;
/** A load balancer asks every two seconds, and believes the third answer. */
const NOTICED_AFTER_MS = 7_000;

export function createReadiness({ hasOthers, log }: ReadinessDeps): Readiness {
  let askedAt = Number.NEGATIVE_INFINITY;
  let noticedAt: number | undefined;
  return {
    check() {
      if (noticedAt !== undefined) throw stopping();
      askedAt = performance.now();
    },
    end() {
      const now = performance.now();
      const isAsked = hasOthers && now - askedAt < ASKS_WITHIN_MS;
      noticedAt = now + (isAsked ? NOTICED_AFTER_MS : 0);
      if (isAsked)
        log.info(
          { ms: NOTICED_AFTER_MS },
          "requests are still answered, until load balancers have noticed that /readyz answers 503",
        );
    },
    async noticed() {
      const restMs = (noticedAt ?? 0) - performance.now();
      if (restMs > 0) await sleep(restMs);
    },
  };
}

function stopping(): MillraceError {
  return new MillraceError("service_unavailable", "The server is stopping.", {
    remedy: "Send requests to another server, or wait until this one has started again.",
    retryAfter: 5,
  });
}

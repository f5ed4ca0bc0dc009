import { setTimeout as sleep } from "node:timers/promises";
import type { Router } from "express";
import { MillraceError } from "../../errors/error.ts";
import type { Log } from "../../log.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";

/** Whether the store takes writes. */
export interface HealthStore {
  /** Writes so many bytes, durably. Rejects when the store cannot write that. */
  probe(bytes: number): Promise<void>;
}

export interface HealthDeps {
  health: HealthStore;
  /** Whether the store is on another disk, whose space is not this server's to watch. */
  isStoreElsewhere: boolean;
  factories: Factories;
  readiness: Pick<Readiness, "check">;
}

/**
 * More than the largest delivery and the pages that a run of it touches: where a smaller write still finds room on a full
 * disk, those would not.
 */
const PROBE_BYTES = 512 * 1024;

/** Anybody may ask, and each probe is a write: the store is asked no more often than this, and oftener while it fails. */
const PROBE_EVERY_MS = 10_000;
const PROBE_AGAIN_MS = 1_000;

/** What millrace keeps itself is read in a moment, so that whoever asks first after the start waits for it. */
const isFresh = ({ active, record }: Factory) => active === undefined && record.mode === "managed";

/**
 * `/healthz`: the process answers. `/readyz`: the server is not stopping, the store takes writes, and a definition is served, or there
 * was an attempt to read each source and none has given one: then senders wait for a person, and no longer for this server.
 */
export function healthRoutes(
  router: Router,
  { health, isStoreElsewhere, factories, readiness }: HealthDeps,
): void {
  // By a clock that nobody sets: an answer must not outlive its time because the day was put right.
  let probeAt = Number.NEGATIVE_INFINITY;
  let probe: Promise<void> = Promise.resolve();

  function probeStore(): Promise<void> {
    if (performance.now() < probeAt) return probe;
    probeAt = performance.now() + PROBE_EVERY_MS;
    probe = health.probe(isStoreElsewhere ? 1 : PROBE_BYTES);
    probe.catch(() => {
      probeAt = performance.now() + PROBE_AGAIN_MS;
    });
    return probe;
  }

  router.get("/healthz", (_request, response) => {
    response.json({ status: "ok" });
  });
  router.get("/readyz", async (_request, response) => {
    readiness.check();
    await probeStore();
    const all = factories.list();
    const isReady = () => all.some(({ active }) => active) || all.every(({ wasAttempted }) => wasAttempted);
    if (!isReady()) await Promise.all(all.filter(isFresh).map((factory) => factory.start()));
    if (!isReady()) {
      throw new MillraceError("service_unavailable", "The first definition is still being loaded.", {
        remedy: "Wait until it is loaded; `millrace status` shows the sync status of each factory.",
        retryAfter: 5,
      });
    }
    response.json({ status: "ready" });
  });
}

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

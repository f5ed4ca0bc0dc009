import type { Router } from "express";
import { MillraceError } from "../../errors/error.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import type { Readiness } from "./readiness.ts";

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

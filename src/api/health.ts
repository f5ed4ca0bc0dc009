import type { Router } from "express";
import { MillraceError } from "../error.ts";
import type { Factories } from "../reconcile/factories.ts";

/** Whether the store takes writes. */
export interface HealthStore {
  /** Writes what is there already, durably. Rejects when the store cannot write. */
  probe(): Promise<void>;
}

export interface HealthParts {
  health: HealthStore;
  factories: Factories;
}

/** Anybody may ask; the store is asked no more often than this. */
const PROBE_EVERY_MS = 1_000;

/** `/healthz`: the process answers. `/readyz`: a definition is served and the store takes writes. */
export function healthRoutes(router: Router, { health, factories }: HealthParts): void {
  let probed = 0;
  let probe: Promise<void> = Promise.resolve();

  router.get("/healthz", (_request, response) => {
    response.json({ status: "ok" });
  });
  router.get("/readyz", async (_request, response) => {
    if (Date.now() - probed > PROBE_EVERY_MS) {
      probed = Date.now();
      probe = health.probe();
    }
    await probe;
    if (!factories.list().some(({ served }) => served)) {
      throw new MillraceError("service_unavailable", "No definition is served yet.", {
        remedy: "`millrace status` shows what the sources say.",
        retryAfter: 5,
      });
    }
    response.json({ status: "ready" });
  });
}

import { Gauge, type Registry } from "prom-client";
import type { DeliveryStore } from "../../ingress/delivery.ts";
import { RUN_STATES, type RunState } from "../../runs/rules/state.ts";
import type { RunStore } from "../../runs/run.ts";
import { demandGauges } from "./demand-gauges.ts";

export interface RunGaugeDeps {
  runs: Pick<RunStore, "listCountsByState" | "findRestingCount" | "findListingBacklog" | "listDemand">;
  deliveries: Pick<DeliveryStore, "findSearchBacklog">;
}

/** How many runs there are, how many wait, and how far lists lag behind. @returns what measures them */
export function runGauges(registry: Registry, { runs, deliveries }: RunGaugeDeps): () => Promise<void> {
  const byState = new Gauge({
    name: "millrace_runs",
    help: "Runs, by state; WAITING is for runs in progress that wait for other runs and have no agent",
    labelNames: ["state"],
    registers: [registry],
  });
  const depth = new Gauge({
    name: "millrace_run_queue_depth",
    help: "Runs waiting for a free slot",
    registers: [registry],
  });
  const lag = new Gauge({
    name: "millrace_run_list_lag_seconds",
    help: "How long the oldest change to a run has been waiting to appear in the list of runs",
    registers: [registry],
  });
  const searchLag = new Gauge({
    name: "millrace_delivery_search_lag_seconds",
    help: "How long the oldest delivery that cannot be found yet has been waiting to become searchable",
    registers: [registry],
  });
  const age = ({ since }: { since: string | null }) =>
    since === null ? 0 : Math.max(0, Date.now() - Date.parse(since)) / 1_000;
  const measureDemand = demandGauges(registry);
  return async () => {
    measureDemand(await runs.listDemand());
    lag.set(age(await runs.findListingBacklog()));
    searchLag.set(age(await deliveries.findSearchBacklog()));
    const [counts, resting] = await Promise.all([runs.listCountsByState(), runs.findRestingCount()]);
    for (const state of Object.keys(RUN_STATES) as RunState[]) byState.set({ state }, counts[state] ?? 0);
    // The two may be counted a moment apart.
    byState.set({ state: "INPROGRESS" }, Math.max(0, (counts.INPROGRESS ?? 0) - resting));
    byState.set({ state: "WAITING" }, resting);
    depth.set(counts.QUEUED ?? 0);
  };
}

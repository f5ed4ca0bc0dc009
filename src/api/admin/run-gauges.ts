import { Gauge, type Registry } from "prom-client";
import { seldom } from "../../concurrency/shared-work.ts";
import type { DeliveryStore } from "../../ingress/delivery.ts";
import { hasEnded, RUN_STATES, type RunState } from "../../runs/rules/state.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { demandGauges } from "./demand-gauges.ts";

/** So many runs are counted in one read, which takes a millisecond or two. */
const COUNTED_AT_ONCE = 10_000;
/** Most runs have ended. Counting these takes a twentieth of the time, however often somebody asks. */
const REST_FACTOR = 20;

export interface RunGaugeDeps {
  runs: Pick<RunStore, "findCount" | "findRestingCount" | "findListingBacklog" | "listDemand">;
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
  const rarely = seldom(REST_FACTOR, () => new Date());
  const measureDemand = demandGauges(registry);
  return async () => {
    measureDemand(await runs.listDemand());
    lag.set(age(await runs.findListingBacklog()));
    searchLag.set(age(await deliveries.findSearchBacklog()));
    const resting = await runs.findRestingCount();
    for (const state of Object.keys(RUN_STATES) as RunState[]) {
      const count = () => countRuns(runs, state);
      const counted = await (hasEnded(state) ? rarely(state, count) : count());
      // The two may be counted a moment apart.
      byState.set({ state }, state === "INPROGRESS" ? Math.max(0, counted - resting) : counted);
      if (state === "QUEUED") depth.set(counted);
    }
    byState.set({ state: "WAITING" }, resting);
  };
}

async function countRuns({ findCount }: Pick<RunStore, "findCount">, state: RunState): Promise<number> {
  let counted = 0;
  let after = "";
  for (;;) {
    const { runs, last } = await findCount(state, after, COUNTED_AT_ONCE);
    counted += runs;
    if (runs < COUNTED_AT_ONCE || last === null) return counted;
    after = last;
  }
}

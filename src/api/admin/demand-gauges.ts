import { Gauge, type Registry } from "prom-client";
import { DEFAULT_PLACEMENT, type Demand, demandsOf } from "../../runs/rules/placement.ts";

/** So many demands have series of their own: anyone who may start runs chooses what they demand. */
const MAX_SERIES = 100;
const OTHER = { worker_host: "(other)", os: "", arch: "" };

/** How many runs wait for workers and execute on them, by what they demand: what autoscalers go by. */
export function demandGauges(registry: Registry): (demands: readonly Demand[]) => void {
  const options = { labelNames: ["worker_host", "os", "arch"], registers: [registry] };
  const waiting = new Gauge({
    ...options,
    name: "millrace_worker_runs_waiting",
    help: "Waiting runs, by the worker host, os and arch that they demand; local is for runs that name no worker",
  });
  const executing = new Gauge({
    ...options,
    name: "millrace_worker_runs_executing",
    help: "Runs that a worker or the server executes, by the worker host, os and arch that they demand",
  });
  const oldest = new Gauge({
    ...options,
    name: "millrace_worker_oldest_waiting_seconds",
    help: "How long the oldest of the waiting runs has been waiting, by the worker host, os and arch that they demand",
  });

  return (demands) => {
    for (const gauge of [waiting, executing, oldest]) gauge.reset();
    const ages = new Map<string, number>();
    for (const demand of mostFirst(demands)) {
      const known = ages.size < MAX_SERIES || ages.has(JSON.stringify(labelsOf(demand)));
      const labels = known ? labelsOf(demand) : OTHER;
      const key = JSON.stringify(labels);
      const age = Math.max(ages.get(key) ?? 0, ageOf(demand));
      ages.set(key, age);
      waiting.inc(labels, demand.waiting);
      executing.inc(labels, demand.executing);
      oldest.set(labels, age);
    }
  };
}

function mostFirst(demands: readonly Demand[]): Demand[] {
  const sizeOf = ({ waiting, executing }: Demand) => waiting + executing;
  return [...demands].sort((a, b) => sizeOf(b) - sizeOf(a));
}

function labelsOf({ placement }: Demand): typeof OTHER {
  if (placement === DEFAULT_PLACEMENT) return { worker_host: "local", os: "", arch: "" };
  const { host, os = "", arch = "" } = demandsOf(placement);
  return { worker_host: host, os, arch };
}

function ageOf({ oldestSince }: Demand): number {
  return oldestSince === null ? 0 : Math.max(0, Date.now() - Date.parse(oldestSince)) / 1_000;
}

import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { seldom } from "../../concurrency/shared-work.ts";
import type { DeliveryStore } from "../../ingress/delivery.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { DEFAULT_PLACEMENT, type Demand, demandsOf } from "../../runs/rules/placement.ts";
import { hasEnded, RUN_STATES, type RunState } from "../../runs/rules/state.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { TriggerRefusal } from "../../runs/triggers/factory-event.ts";
import type { MeasuredRun, TurnMeter } from "../../runs/turn-meter.ts";

type Labels = { factory: string; automation: string };

/** So many pairs of a factory and an automation have series of their own. */
const MAX_PAIRS = 100;
/** The automation, and beyond as many factories also the factory, of every other run. */
const OTHER = "(other)";
/** Of a run that no automation or no factory started. Names of both are without parentheses. */
const NONE = "(none)";

/** Seconds: from a queue with room to one that is full for hours. */
const WAITS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600, 14_400];
/** Seconds: from a script to the longest turns. */
const WORKS = [1, 5, 15, 60, 180, 600, 1_800, 3_600, 7_200, 14_400];

const TOKEN_KINDS = ["input", "cached", "output"] as const;
const REACH_RESULTS = ["reached", "refused"] as const;

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

/** Measures runs by factory and automation. */
export interface RunMetrics extends TurnMeter {
  /** An event of a factory started nothing because of a limit. */
  refusedTrigger(refusal: TriggerRefusal): void;
  /** Forgets the series of automations and factories that are not there any more, or have another name. */
  forgetDeleted(factories: Pick<Factories, "find">): void;
  /** Names are looked up here from now on. */
  nameBy(factories: Pick<Factories, "find">): void;
}

/**
 * Counters and histograms of runs. Definitions come from repositories, so the number of series is bounded: whatever has no
 * series of its own is counted together.
 */
export function createRunMetrics(registry: Registry): RunMetrics {
  const registers = [registry];
  const labelNames = ["factory", "automation"] as const;
  const ends = new Counter({
    name: "millrace_runs_ended_total",
    help: "Turns of runs that ended, by the state of the run afterwards",
    labelNames: [...labelNames, "result"],
    registers,
  });
  const waits = new Histogram({
    name: "millrace_run_wait_seconds",
    help: "Time from the creation of a run to the start of its agent",
    labelNames,
    buckets: WAITS,
    registers,
  });
  const works = new Histogram({
    name: "millrace_run_duration_seconds",
    help: "Time from the start of an agent to the end of its turn, by the state of the run afterwards",
    labelNames: [...labelNames, "result"],
    buckets: WORKS,
    registers,
  });
  const refusedTriggers = new Counter({
    name: "millrace_triggers_refused_total",
    help: "Events of factories that did not start an automation, by the limit that was reached",
    labelNames: ["reason"],
    registers,
  });
  const tokens = new Counter({
    name: "millrace_run_tokens_total",
    help: "Tokens used in turns that have ended: input (without cached), cached and output",
    labelNames: [...labelNames, "kind"],
    registers,
  });
  const costs = new Counter({
    name: "millrace_run_cost_usd_total",
    help: "Known cost of turns that have ended, in US dollars",
    labelNames,
    registers,
  });
  const unpriced = new Counter({
    name: "millrace_run_unpriced_tokens_total",
    help: "Tokens used in turns that have ended, of models whose price is not known",
    labelNames,
    registers,
  });
  const connections = new Counter({
    name: "millrace_run_connections_total",
    help: "Connections and requests in turns that have ended, of runs whose network is limited: reached and refused",
    labelNames: [...labelNames, "result"],
    registers,
  });
  const known = new Map<string, { run: MeasuredRun; labels: Labels; results: Set<RunState> }>();
  let findFactory: Factories["find"] = () => undefined;

  function seriesOf(run: MeasuredRun) {
    const labels = boundedLabels(run);
    const key = JSON.stringify([labels.factory, labels.automation]);
    const series = known.get(key) ?? { run, labels, results: new Set<RunState>() };
    known.set(key, series);
    return series;
  }

  function boundedLabels(run: MeasuredRun): Labels {
    const labels = labelsOf(run, findFactory);
    const isKnown = ({ factory, automation }: Labels) => known.has(JSON.stringify([factory, automation]));
    if (isKnown(labels) || known.size < MAX_PAIRS) return labels;
    const ofFactory = { factory: labels.factory, automation: OTHER };
    if (isKnown(ofFactory) || known.size < 2 * MAX_PAIRS) return ofFactory;
    return { factory: OTHER, automation: OTHER };
  }

  return {
    refusedTrigger: (reason) => refusedTriggers.inc({ reason }),
    started(run, waitedMs) {
      if (waitedMs !== undefined) waits.observe(seriesOf(run).labels, Math.max(0, waitedMs) / 1_000);
    },
    ended(run, result, workedMs) {
      const { labels, results } = seriesOf(run);
      results.add(result);
      ends.inc({ ...labels, result });
      if (workedMs !== undefined) works.observe({ ...labels, result }, Math.max(0, workedMs) / 1_000);
    },
    used(run, usage) {
      if (usage.length === 0) return;
      const { labels } = seriesOf(run);
      for (const { inputTokens, outputTokens, cachedTokens, costUsd } of usage) {
        const fresh = Math.max(0, inputTokens - cachedTokens);
        const counts = { input: fresh, cached: cachedTokens, output: outputTokens };
        for (const kind of TOKEN_KINDS) tokens.inc({ ...labels, kind }, counts[kind]);
        if (costUsd === null) unpriced.inc(labels, inputTokens + outputTokens);
        else costs.inc(labels, costUsd);
      }
    },
    reached(run, reaches) {
      const { labels } = seriesOf(run);
      for (const result of REACH_RESULTS)
        connections.inc({ ...labels, result }, sumOf(reaches[result].map(({ requests }) => requests)));
    },
    forgetDeleted({ find }) {
      for (const [key, { run, labels, results }] of known) {
        if (isStillNamed(run, labels, find)) continue;
        known.delete(key);
        waits.remove(labels);
        costs.remove(labels);
        unpriced.remove(labels);
        for (const kind of TOKEN_KINDS) tokens.remove({ ...labels, kind });
        for (const result of REACH_RESULTS) connections.remove({ ...labels, result });
        for (const result of results) {
          ends.remove({ ...labels, result });
          works.remove({ ...labels, result });
        }
      }
    },
    nameBy({ find }) {
      findFactory = find;
    },
  };
}

function labelsOf({ factoryUid, automationUid }: MeasuredRun, find: Factories["find"]): Labels {
  if (factoryUid === null) return { factory: NONE, automation: NONE };
  const factory = find(factoryUid);
  if (!factory) return { factory: OTHER, automation: OTHER };
  if (automationUid === null) return { factory: factory.record.name, automation: NONE };
  const automation = factory.active?.resources.find(
    ({ kind, uid, deleted }) => kind === "automation" && uid === automationUid && !deleted,
  );
  return { factory: factory.record.name, automation: automation?.name ?? OTHER };
}

function isStillNamed(run: MeasuredRun, labels: Labels, find: Factories["find"]): boolean {
  if (labels.factory === OTHER) return true;
  const now = labelsOf(run, find);
  return (
    now.factory === labels.factory && (labels.automation === OTHER || now.automation === labels.automation)
  );
}

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

/** So many demands have series of their own: anyone who may start runs chooses what they demand. */
const MAX_SERIES = 100;
const OTHER_HOSTS = { worker_host: "(other)", os: "", arch: "" };

/** How many runs wait for workers and execute on them, by what they demand: what autoscalers go by. */
function demandGauges(registry: Registry): (demands: readonly Demand[]) => void {
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
      const known = ages.size < MAX_SERIES || ages.has(JSON.stringify(demandLabelsOf(demand)));
      const labels = known ? demandLabelsOf(demand) : OTHER_HOSTS;
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

function demandLabelsOf({ placement }: Demand): typeof OTHER_HOSTS {
  if (placement === DEFAULT_PLACEMENT) return { worker_host: "local", os: "", arch: "" };
  const { host, os = "", arch = "" } = demandsOf(placement);
  return { worker_host: host, os, arch };
}

function ageOf({ oldestSince }: Demand): number {
  return oldestSince === null ? 0 : Math.max(0, Date.now() - Date.parse(oldestSince)) / 1_000;
}

import type { Models } from "../../client/typed-paths.ts";
import { seldom } from "../../concurrency/shared-work.ts";
import {
  costliestRuns,
  type RunSpend,
  type SpendStore,
  sumUsage,
  type UsageGroup,
  type UsageSums,
  type Used,
  usageReport,
} from "../../insight/usage.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { findFactory } from "../factories/factories.ts";
import { reachesFactory } from "../http/authorize.ts";
import { type ApiRequest, type Endpoints, keyOf } from "../http/endpoint.ts";
import { type RunUsageDeps, runUsageEndpoints } from "../runs/output/run-usage.ts";
import { nameGroup, type UsageNameDeps, type UsageNames, usageNames } from "./usage-names.ts";
import { spanOf } from "./usage-span.ts";

export interface UsageDeps extends UsageNameDeps, RunUsageDeps {
  spend: SpendStore;
  factories: Factories;
}

/** The usage of a million runs in a month takes the reader some seconds. They are summed in a twentieth of the time. */
const REST_FACTOR = 20;
/** A program can name as many models as it likes; what has cost the least is left out. */
const MAX_ROWS = 1_000;

/** What was used: by one run, summed over many, and the runs that have cost the most. */
export function usageEndpoints(deps: UsageDeps) {
  const { spend, runs, factories, now } = deps;
  const rarely = seldom(REST_FACTOR, now);
  return {
    ...runUsageEndpoints(deps),
    getUsage: {
      async handle(request) {
        const { group_by: by } = request.query;
        const span = spanOf(request.query, now());
        const isAsked = isAskedBy(request, factories);
        const { since, until = "" } = request.query;
        const { sums, ...period } = await rarely(`${by} ${since} ${until}`, async () => ({
          sums: await sumUsage(by, { span, now: now() }, spend),
          ...{ since: span.from, until: span.to },
        }));
        const names = await usageNames(deps);
        const rows = usageReport(by, sums, isAsked).map((each) => rowView(by, each, names));
        const usage = rows.sort(by === "day" ? byKey : byCost).slice(0, MAX_ROWS);
        return { json: { usage, ...period } };
      },
    },
    listCostliestRuns: {
      async handle(request) {
        const span = spanOf(request.query, now());
        const factoryUids = askedUids(request, factories);
        const { since, until = "", limit } = request.query;
        const asked = JSON.stringify([since, until, limit, factoryUids]);
        const spent = await rarely(`runs ${asked}`, () =>
          costliestRuns({ span, factoryUids, now: now() }, limit, spend),
        );
        const names = await usageNames(deps);
        const views = await Promise.all(
          spent.map(async (each) => runView(each, await runs.find(each.runId), names)),
        );
        return { json: { runs: views, since: span.from, until: span.to } };
      },
    },
  } satisfies Endpoints;
}

type UsageRequest = ApiRequest<"getUsage"> | ApiRequest<"listCostliestRuns">;

/** The factories whose usage is asked for and may be seen; nothing for that of the whole server. @throws MillraceError `resource_not_found` */
function askedUids(request: UsageRequest, factories: Factories): readonly string[] | undefined {
  const { factory } = request.query;
  if (factory !== undefined)
    return [findFactory({ caller: request.caller, path: { factory } }, factories).record.uid];
  return keyOf(request).factories ?? undefined;
}

function isAskedBy(request: UsageRequest, factories: Factories): (factoryUid: string | null) => boolean {
  const uids = askedUids(request, factories);
  const key = keyOf(request);
  return (uid) => reachesFactory(key, uid) && (uids === undefined || (uid !== null && uids.includes(uid)));
}

function rowView(by: UsageGroup, sums: UsageSums, names: UsageNames): Models["UsageRow"] {
  return {
    ...nameGroup(by, sums, names),
    runs: sums.runs,
    runs_without_usage: sums.runsWithoutUsage,
    ...usedView(sums),
    work_seconds: by === "model" ? null : sums.workedMs / 1_000,
    cpu_seconds: sums.cpuMs === null ? null : sums.cpuMs / 1_000,
    peak_memory_bytes: sums.peakMemoryBytes,
  };
}

function runView(
  spent: RunSpend,
  run: Awaited<ReturnType<RunStore["find"]>>,
  names: UsageNames,
): Models["RunSpend"] {
  return {
    run_id: spent.runId,
    title: run?.title ?? null,
    state: run?.state ?? null,
    created_at: run?.createdAt ?? null,
    factory: names.factory(spent.factoryUid),
    automation: run ? names.automation(run.factoryUid, run.automationUid) : null,
    agent: run ? names.agent(run.factoryUid, run.agentUid) : null,
    ...usedView(spent),
  };
}

function usedView({ inputTokens, outputTokens, cachedTokens, costUsd, unpricedTokens }: Used) {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cached_tokens: cachedTokens,
    cost_usd: costUsd,
    unpriced_tokens: unpricedTokens,
  };
}

const byKey = (one: { key: string }, other: { key: string }) => (one.key < other.key ? -1 : 1);

/** What has cost the most first; then, where costs are unknown, what has used the most tokens. */
function byCost(one: Models["UsageRow"], other: Models["UsageRow"]): number {
  const tokens = (row: Models["UsageRow"]) => row.input_tokens + row.output_tokens;
  return (
    (other.cost_usd ?? -1) - (one.cost_usd ?? -1) ||
    tokens(other) - tokens(one) ||
    other.runs - one.runs ||
    byKey(one, other)
  );
}

import type { Models } from "../../client/typed-paths.ts";
import { seldom } from "../../concurrency/shared-work.ts";
import { MillraceError } from "../../errors/error.ts";
import {
  costliestRuns,
  type RunSpend,
  type Span,
  type SpendStore,
  sumUsage,
  type UsageGroup,
  type UsageGroupReport,
  type UsageSums,
  type Used,
  usageReport,
} from "../../insight/usage.ts";
import { reachesFactory } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { IdentityStore } from "../../runs/agents/agent-identity.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { parseDuration } from "../../time/duration.ts";
import { parseInstant } from "../../time/instant.ts";
import { findFactory } from "../factories/factories.ts";
import { type ApiRequest, type Endpoints, keyOf } from "../http/endpoint.ts";
import { type RunUsageDeps, runUsageEndpoints } from "../runs/run-usage.ts";

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
        const isSeen = (uid: string | null) => reachesFactory(keyOf(request), uid);
        const { since, until = "" } = request.query;
        const { sums, ...period } = await rarely(`${by} ${since} ${until}`, async () => ({
          sums: await sumUsage(by, { span, now: now() }, spend),
          since: span.from,
          until: span.to,
        }));
        const names = await usageNames(deps);
        const rows = usageReport(by, sums, isAsked, isSeen).map((each) => rowView(by, each, names));
        const usage = rows.sort(by === "day" ? byKey : byCost).slice(0, MAX_ROWS);
        return { json: { usage, ...period } };
      },
    },
    listCostliestRuns: {
      async handle(request) {
        const span = spanOf(request.query, now());
        const factoryUids = askedUids(request, factories);
        const { since, until = "", limit } = request.query;
        const seen = keyOf(request).factories ?? undefined;
        const asked = JSON.stringify([since, until, limit, factoryUids, seen]);
        const spent = await rarely(`runs ${asked}`, () =>
          costliestRuns({ span, factoryUids, seen, now: now() }, limit, spend),
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

function rowView(by: UsageGroup, sums: UsageGroupReport, names: UsageNames): Models["UsageRow"] {
  return {
    ...nameGroup(by, sums, names),
    runs: sums.runs,
    runs_without_usage: sums.runsWithoutUsage,
    ...usedView(sums),
    family_cost_usd: sums.familyCostUsd,
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
    family_cost_usd: spent.familyCostUsd,
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

/** The span that a query asks for. @throws MillraceError `invalid_request` */
function spanOf({ since, until }: { since: string; until?: string }, now: Date): Span {
  const from = instantIn("since", since, now);
  const to = until === undefined ? now.getTime() : instantIn("until", until, now);
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

/** An instant, or how long ago it was. */
function instantIn(name: string, text: string, now: Date): number {
  const age = parseDuration(text, ["d", "h", "m", "s"]);
  const at = age === undefined ? parseInstant(text) : now.getTime() - age;
  // Further back than instants go is before everything.
  if (at !== undefined && Number.isFinite(at)) return Math.min(Math.max(at, 0), MAX_INSTANT);
  throw new MillraceError(
    "invalid_request",
    `The query parameter ${name} is ${JSON.stringify(text)}: expected a time such as 2026-01-31T12:00:00Z, a date, or an age such as 24h or 30d.`,
  );
}

/** The end of the year 9999, behind which instants no longer sort as texts. */
const MAX_INSTANT = Date.UTC(10_000, 0) - 1;

/** What stands for runs that have nothing to be grouped by: names of definitions are without parentheses. */
export const NONE = "(none)";

/** What people know things by: what is there no more has its last name, or its uid where that is lost too. */
interface UsageNames {
  factory(uid: string | null): string | null;
  automation(factoryUid: string | null, uid: string | null): string | null;
  agent(factoryUid: string | null, uid: string | null): string | null;
}

interface UsageNameDeps {
  factories: Pick<Factories, "find">;
  identities: Pick<IdentityStore, "list">;
}

async function usageNames({ factories, identities }: UsageNameDeps): Promise<UsageNames> {
  const own = new Map((await identities.list()).map(({ uid, name }) => [uid, name]));
  /** Deleted resources keep their uids and names. */
  const resourceOf = (kind: "automation" | "agent", factoryUid: string | null, uid: string) =>
    factoryUid === null
      ? undefined
      : factories
          .find(factoryUid)
          ?.active?.resources.find((resource) => resource.kind === kind && resource.uid === uid)?.name;
  return {
    factory: (uid) => (uid === null ? null : (factories.find(uid)?.record.name ?? uid)),
    automation: (factoryUid, uid) =>
      uid === null ? null : (resourceOf("automation", factoryUid, uid) ?? uid),
    agent: (factoryUid, uid) =>
      uid === null ? null : (resourceOf("agent", factoryUid, uid) ?? own.get(uid) ?? uid),
  };
}

/** How a group of sums is called, and what it is of. */
function nameGroup(
  by: UsageGroup,
  { factoryUid, key: uid }: Pick<UsageSums, "factoryUid" | "key">,
  names: UsageNames,
): { key: string; uid: string | null; factory: string | null } {
  if (by === "model" || by === "day") return { key: uid ?? NONE, uid: null, factory: null };
  const factory = names.factory(factoryUid);
  if (by === "factory") return { key: factory ?? NONE, uid: factoryUid, factory: null };
  const name = names[by](factoryUid, uid) ?? NONE;
  return { key: factory === null ? name : `${factory}/${name}`, uid, factory };
}

import type { Models } from "../../client/typed-paths.ts";
import type {
  FactoryMetricsStore,
  GroupSpend,
  RunCount,
  RunGroup,
  SpendGroup,
} from "../../insight/factory-metrics-store.ts";
import {
  cycleTimeOf,
  type FactoryPullRequest,
  hasHumanCode,
  humanInteractions,
  isReported,
  linesOf,
  listPullRequests,
  medianOf,
  STAGES,
} from "../../insight/factory-pull-requests.ts";
import { type Dated, datedIn, type Frame, groupBy, withSeries } from "../../insight/periods.ts";
import type { PullRequestStore } from "../../insight/pull-request.ts";
import { daysOf, type Span, type SpendStore } from "../../insight/usage.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { findFactory } from "../factories/factories.ts";
import type { Endpoints } from "../http/endpoint.ts";
import type { Cursors } from "../http/page.ts";
import {
  type AskedFigures,
  agentsOf,
  dollarsOf,
  type FiguresOf,
  figuresMaker,
  type GroupNameDeps,
  type GroupNames,
  groupNames,
} from "./figures.ts";
import {
  type CostedPullRequest,
  costedPullRequests,
  costliestPullRequests,
  costsBySize,
  costsPerPullRequest,
  pageOfPullRequests,
  pullRequestView,
} from "./pull-requests.ts";
import { NONE } from "./usage.ts";

export interface FactoryMetricsDeps extends GroupNameDeps {
  factories: Factories;
  factoryMetrics: FactoryMetricsStore;
  pullRequests: PullRequestStore;
  spend: Pick<SpendStore, "findFirstUse">;
  cursors: Cursors;
  now: () => Date;
}

/** The Metrics API of the public documentation: what the runs of a factory have brought about, and what they have cost. */
export function factoryMetricsEndpoints(deps: FactoryMetricsDeps) {
  const { factories, factoryMetrics: store, spend: usage, cursors } = deps;
  const { answer, known } = figuresMaker(deps);
  const pullRequestsOf = (uid: string) =>
    known("pull requests", uid, () => listPullRequests(uid, deps.pullRequests));
  /** What is made of the costs of pull requests, which are as old as the list of these is. */
  const ofCosts = async <Figures extends object>(
    { uid, frame }: AskedFigures,
    figuresOf: (costed: Dated<CostedPullRequest>) => Figures,
  ) => {
    const { found: records, as_of } = await pullRequestsOf(uid);
    return { ...figuresOf(await costedPullRequests({ factoryUid: uid, frame, records }, store)), as_of };
  };

  return {
    getFactoryMetrics: {
      handle: (request) =>
        answer(request, async ({ uid, frame, now }) => {
          const { found: pullRequests, as_of } = await pullRequestsOf(uid);
          const counts = await countRuns(uid, { by: "root_vs_subrun", span: frame.span, now }, store);
          return { ...productivityOf(frame, { counts, pullRequests }), as_of };
        }),
    },
    getRunBreakdown: {
      handle: (request) =>
        answer(request, async ({ factory, uid, frame, now }) => {
          const { group_by: by } = request.query;
          const counts = await countRuns(uid, { by, span: frame.span, now }, store);
          return runBreakdown(by, { counts, frame, factory });
        }),
    },
    getCostBreakdown: {
      handle: (request) =>
        answer(request, async ({ factory, uid, frame, now }) => {
          const { group_by: by } = request.query;
          const spend = await sumSpend(uid, { by, span: frame.span, now }, { store, usage });
          return costBreakdown(spend, { frame, names: await groupNames(by, factory, deps) });
        }),
    },
    getPrCosts: {
      handle: (request) =>
        answer(request, (asked) => ofCosts(asked, (costed) => costsPerPullRequest(asked.frame, costed))),
    },
    getPrCostsBySize: {
      handle: (request) =>
        answer(request, (asked) => ofCosts(asked, (costed) => costsBySize(asked.frame, costed))),
    },
    listCostliestPullRequests: {
      handle: (request) =>
        answer(request, (asked) => {
          const which = { factoryUid: asked.uid, limit: request.query.limit };
          return ofCosts(asked, (costed) => ({ data: costliestPullRequests(costed, which) }));
        }),
    },
    listPullRequests: {
      async handle(request) {
        const { uid } = findFactory(request, factories).record;
        const { found, ...common } = await pullRequestsOf(uid);
        const { items, pageInfo } = pageOfPullRequests(found, request, cursors);
        const data = items.map((record) => pullRequestView(record, uid));
        return { json: { data, page_info: pageInfo, ...common } };
      },
    },
  } satisfies Endpoints;
}

/** A caller can name as many models as it likes: the smallest groups are left out. */
const MAX_GROUPS = 1_000;

type OfDay<Sums> = Sums & { from: string };

/** What is counted or summed: a group, the time, and what the clock says. */
interface Asked<Group> {
  by: Group;
  span: Span;
  now: Date;
}

/** Counts the runs of a factory, a day at a time. */
async function countRuns(
  factoryUid: string,
  { by, span, now }: Asked<RunGroup>,
  store: Pick<FactoryMetricsStore, "findFirstRun" | "listRunCounts">,
): Promise<OfDay<RunCount>[]> {
  const days = daysOf(span, await store.findFirstRun(), now);
  return ofDays(days, (day) => store.listRunCounts(factoryUid, by, day));
}

/** Sums the spend of a factory, a day at a time. */
async function sumSpend(
  factoryUid: string,
  { by, span, now }: Asked<SpendGroup>,
  {
    store,
    usage,
  }: { store: Pick<FactoryMetricsStore, "listSpend">; usage: Pick<SpendStore, "findFirstUse"> },
): Promise<OfDay<GroupSpend>[]> {
  const days = daysOf(span, await usage.findFirstUse(), now);
  return ofDays(days, (day) => store.listSpend(factoryUid, by, day));
}

async function ofDays<Sums>(days: Iterable<Span>, list: (day: Span) => Promise<Sums[]>) {
  const found: OfDay<Sums>[] = [];
  for (const day of days) {
    for (const sums of await list(day)) found.push({ ...sums, from: day.from });
  }
  return found;
}

/** Runs by group, as the API shows them. Sources are those of runs that no other run has started. */
function runBreakdown(
  by: RunGroup,
  { counts, frame, factory }: { counts: readonly OfDay<RunCount>[]; frame: Frame; factory: Factory },
): FiguresOf<Models["RunBreakdown"]> {
  const { typeOf } = agentsOf(factory);
  const keyOf = ({ key }: RunCount) => {
    if (key === null) return NONE;
    return by === "agent_type" ? typeOf(key) : key;
  };
  const counted = counts.filter(({ rootRuns }) => by !== "source" || rootRuns > 0);
  const total = ({ runs, rootRuns }: RunCount) => (by === "source" ? rootRuns : runs);
  const sumOf = (some: readonly RunCount[], size: (each: RunCount) => number) =>
    some.reduce((sum, each) => sum + size(each), 0);
  const dated = datedIn(frame, counted, ({ from }) => from);
  const groups = [...groupBy(counted, keyOf)].map(([key, ofGroup]) => {
    const datedGroup = datedIn(frame, ofGroup, ({ from }) => from);
    return { key, label: null, ...withSeries(frame, (pick) => ({ total: sumOf(pick(datedGroup), total) })) };
  });
  return {
    ...withSeries(frame, (pick) => ({
      total: sumOf(pick(dated), total),
      root_run_count: sumOf(pick(dated), ({ rootRuns }) => rootRuns),
    })),
    groups: groups
      .sort((one, other) => other.total - one.total || (one.key < other.key ? -1 : 1))
      .slice(0, MAX_GROUPS),
  };
}

/** Spend by group, as the API shows it. */
function costBreakdown(
  spend: readonly OfDay<GroupSpend>[],
  { frame, names }: { frame: Frame; names: GroupNames },
): FiguresOf<Models["CostBreakdown"]> {
  const dollars = (some: readonly OfDay<GroupSpend>[]) => {
    const dated = datedIn(frame, some, ({ from }) => from);
    return withSeries(frame, (pick) => dollarsOf(pick(dated)));
  };
  const groups = [...groupBy(spend, ({ key }) => key ?? NONE)].map(([key, ofGroup]) => ({
    key,
    label: names.labelOf(key) ?? ofGroup.at(-1)?.label ?? null,
    deleted: key !== NONE && names.isDeleted(key),
    photo_url: null,
    dollars: dollars(ofGroup),
  }));
  return {
    total: dollars(spend),
    groups: groups
      .sort((one, other) => other.dollars.total - one.dollars.total || (one.key < other.key ? -1 : 1))
      .slice(0, MAX_GROUPS),
  };
}

type PullRequests = readonly FactoryPullRequest[];

interface ProductivityFacts {
  counts: readonly (RunCount & { from: string })[];
  /** All of the factory, also those that no run has reported. */
  pullRequests: PullRequests;
}

/** What runs have brought about, as the API shows it. Which date counts differs from figure to figure, as the public API has it. */
function productivityOf(
  frame: Frame,
  { counts, pullRequests }: ProductivityFacts,
): FiguresOf<Models["FactoryMetrics"]> {
  const reported = pullRequests.filter(isReported);
  const runs = datedIn(frame, counts, ({ from }) => from);
  const seen = datedIn(frame, reported, ({ firstSeenAt }) => firstSeenAt);
  const opened = datedIn(frame, reported, ({ snapshot }) => snapshot?.openedAt ?? snapshot?.mergedAt ?? null);
  const allMerged = datedIn(frame, pullRequests, ({ snapshot }) => snapshot?.mergedAt ?? null);
  const merged = datedIn(frame, reported, ({ snapshot }) => snapshot?.mergedAt ?? null);
  return {
    ...withSeries(frame, (pick) => ({
      run_count: pick(runs).reduce((sum, each) => sum + each.runs, 0),
      pr_count: pick(seen).length,
      merged_pr_count: pick(opened).filter(isMerged).length,
      average_human_interactions_per_pr: meanOf(pick(seen).map((each) => humanInteractions(each).total)),
    })),
    autonomy_funnel: {
      ...withSeries(frame, (pick) => ({ total_merged: pick(allMerged).length, ...autonomyOf(pick(merged)) })),
      repos: reposOf(pullRequests),
    },
    impact: withSeries(frame, (pick) => impactOf(pick(merged))),
    pr_latency: withSeries(frame, (pick) => latencyOf(pick(merged))),
  };
}

const isMerged = ({ snapshot }: FactoryPullRequest) => snapshot?.mergedAt != null;

function autonomyOf(merged: PullRequests) {
  const observed = merged.filter(({ isHistoryComplete }) => isHistoryComplete);
  return {
    factory_merged: merged.length,
    factory_merged_observed: observed.length,
    merged_without_human_code_change: observed.filter((each) => !hasHumanCode(each)).length,
  };
}

function impactOf(merged: PullRequests) {
  const measured = merged.flatMap((each) => linesOf(each) ?? []);
  return {
    additions: measured.reduce((sum, { additions }) => sum + additions, 0),
    deletions: measured.reduce((sum, { deletions }) => sum + deletions, 0),
    merged_pr_count: merged.length,
    measured_pr_count: measured.length,
  };
}

function latencyOf(merged: PullRequests) {
  const times = merged.map(cycleTimeOf);
  const stages = STAGES.map((stage) => {
    const seconds = times.map((time) => time[stage]).filter((each) => each !== null);
    return [stage, { median_seconds: medianOf(seconds), measured_pr_count: seconds.length }];
  });
  type Stages = Pick<Models["FactoryMetrics"]["pr_latency"], (typeof STAGES)[number]>;
  return { merged_pr_count: merged.length, ...(Object.fromEntries(stages) as Stages) };
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Those whose deliveries reach the factory. */
function reposOf(pullRequests: PullRequests): string[] {
  const observed = pullRequests.filter(({ snapshot }) => snapshot !== null);
  return [...new Set(observed.flatMap(({ repository }) => repository ?? []))].sort();
}

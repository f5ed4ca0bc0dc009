import type { Models } from "../../client/typed-paths.ts";
import type {
  FactoryMetricsStore,
  GroupSpend,
  RunCount,
  RunGroup,
  SpendGroup,
} from "../../insight/factory-metrics-store.ts";
import { datedIn, type Frame, groupBy, withSeries } from "../../insight/periods.ts";
import { daysOf, type Span, type SpendStore } from "../../insight/usage.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { NONE } from "../usage/usage-names.ts";
import { dollarsOf } from "./dollars.ts";
import type { FiguresOf } from "./figures.ts";
import { agentsOf, type GroupNames } from "./group-names.ts";

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
export async function countRuns(
  factoryUid: string,
  { by, span, now }: Asked<RunGroup>,
  store: Pick<FactoryMetricsStore, "findFirstRun" | "listRunCounts">,
): Promise<OfDay<RunCount>[]> {
  const days = daysOf(span, await store.findFirstRun(), now);
  return ofDays(days, (day) => store.listRunCounts(factoryUid, by, day));
}

/** Sums the spend of a factory, a day at a time. */
export async function sumSpend(
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
export function runBreakdown(
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
export function costBreakdown(
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

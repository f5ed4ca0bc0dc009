import { DAY_MS } from "../time/duration.ts";

/** What usage can be summed by. */
export const USAGE_GROUPS = ["automation", "agent", "factory", "model", "day"] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** A span of time between two instants; the second one is not in it. */
export interface Span {
  from: string;
  to: string;
}

/** What was used, summed. */
export interface Used {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  /** In US dollars; nothing when no cost is known. */
  costUsd: number | null;
  /** Tokens of input and output whose cost is not known. */
  unpricedTokens: number;
}

/** What agents took of their machines, summed over turns that have ended. */
export interface Worked {
  /** How long agents were alive. */
  workedMs: number;
  /** Nothing when it was counted for no turn; and so with the memory. */
  cpuMs: number | null;
  /** The most that one turn has taken. */
  peakMemoryBytes: number | null;
}

/** A group of runs in one factory. */
interface GroupOf {
  /** Null for runs of none. */
  factoryUid: string | null;
  /** The automation, the agent or the model; null for runs that have none, and where groups are factories or days. */
  key: string | null;
}

/** Sums of one group in one factory, of families whose roots belong to one group in one factory. */
export interface UsageSums extends GroupOf, Used, Worked {
  /** Of the roots. */
  root: GroupOf;
  /** How many runs have used something, each counted once. */
  runs: number;
  /** How many of them have told nothing of models. */
  runsWithoutUsage: number;
}

/** Sums of one group, and what the families have cost whose roots are in it. */
export interface UsageGroupReport extends Omit<UsageSums, "root"> {
  /** With all runs that descend from those of the group; nothing when no cost is known. */
  familyCostUsd: number | null;
}

/** What one run has used. */
export interface RunSpend extends Used {
  runId: string;
  factoryUid: string | null;
  /** Of a root, with all runs that descend from it; nothing when no cost is known. */
  familyCostUsd: number | null;
}

/** Sums what turns have used. Usage is dated by when it was told last, and work by the end of its turn. */
export interface SpendStore {
  /** When the oldest usage was told, or the oldest turn ended. */
  findFirstUse(): Promise<string | undefined>;
  /**
   * Sums one part of a longer span.
   * @param within the whole span: a run counts in the part in which it comes first
   */
  listUsageSums(by: UsageGroup, part: Span, within: Span): Promise<UsageSums[]>;
  /** The runs with the highest known costs in a span, the costliest first. @param factoryUids of all when nothing is given */
  listCostliestRuns(
    span: Span,
    factoryUids: readonly string[] | undefined,
    limit: number,
  ): Promise<{ runId: string; costUsd: number }[]>;
  /** What runs have used in a span. @param seen uids of the only factories whose runs count in families; all when nothing is given */
  listRunSpend(runIds: readonly string[], span: Span, seen?: readonly string[]): Promise<RunSpend[]>;
  /**
   * The costs of the last runs of an automation that have ended and whose cost is known as a whole, each with those of all runs that
   * descend from it.
   */
  listRunCosts(automationUid: string, limit: number): Promise<number[]>;
}

/** Costs together. @returns nothing when both are unknown */
export function addKnown(one: number | null, other: number | null): number | null {
  return one === null && other === null ? null : (one ?? 0) + (other ?? 0);
}

/** The larger one. @returns nothing when both are unknown */
export function maxKnown(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

/**
 * Sums usage by group and factory, a day of the span at a time: a sum over many runs must not keep the readers of the store waiting.
 * @returns rows whose keys are days where groups are
 */
export async function sumUsage(
  by: UsageGroup,
  { span, now }: { span: Span; now: Date },
  store: Pick<SpendStore, "findFirstUse" | "listUsageSums">,
): Promise<UsageSums[]> {
  const rows: UsageSums[] = [];
  for (const part of daysOf(span, await store.findFirstUse(), now)) {
    const found = await store.listUsageSums(by, part, by === "day" ? part : span);
    rows.push(...(by === "day" ? found.map((sums) => ofDay(sums, dayOf(part))) : found));
  }
  return merged(rows, ({ factoryUid, key, root }) => [factoryUid, key, root.factoryUid, root.key]);
}

const ofDay = (sums: UsageSums, key: string): UsageSums => ({ ...sums, key, root: { ...sums.root, key } });

/**
 * The sums for some factories. The cost of a family counts for the group of its root, as far as its runs may be seen.
 * @param isAsked whether the usage of a factory is wanted and may be seen; null stands for runs of none
 * @param isSeen whether it may be seen
 * @returns a row for each group; those of models and days are of no factory, and have no runs of other groups in their families
 */
export function usageReport(
  by: UsageGroup,
  sums: readonly UsageSums[],
  isAsked: (factoryUid: string | null) => boolean,
  isSeen = isAsked,
): UsageGroupReport[] {
  const own = sums.filter(({ factoryUid }) => isAsked(factoryUid));
  if (by === "model" || by === "day")
    return merged(own, ({ key }) => [key]).map(({ root: _, ...row }) => {
      return { ...row, factoryUid: null, familyCostUsd: row.costUsd };
    });
  const ofFamilies = sums.filter(({ factoryUid, root }) => isSeen(factoryUid) && isAsked(root.factoryUid));
  const families = new Map(
    merged(ofFamilies.map(ofRoot), groupOf).map((row) => [JSON.stringify(groupOf(row)), row]),
  );
  const rows = merged(own, groupOf).map(({ root: _, ...row }): UsageGroupReport => {
    const id = JSON.stringify(groupOf(row));
    const familyCostUsd = families.get(id)?.costUsd ?? null;
    families.delete(id);
    return { ...row, familyCostUsd };
  });
  // Nothing was used by their own runs.
  for (const { root: _, costUsd, ...row } of families.values())
    if (costUsd !== null) rows.push({ ...row, ...NOTHING, familyCostUsd: costUsd });
  return rows;
}

const groupOf = ({ factoryUid, key }: GroupOf) => [factoryUid, key];
const ofRoot = (sums: UsageSums): UsageSums => ({ ...sums, ...sums.root });

/** What runs have used that have used nothing. */
const NOTHING = {
  runs: 0,
  runsWithoutUsage: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  costUsd: null,
  unpricedTokens: 0,
  workedMs: 0,
  cpuMs: null,
  peakMemoryBytes: null,
};

/** How many runs of each day are looked at for the costliest ones, for each one that is asked for. */
const CANDIDATES = 5;

interface CostliestQuery {
  span: Span;
  /** Of all when nothing is given; and so below. */
  factoryUids: readonly string[] | undefined;
  /** The factories whose runs count in families. */
  seen?: readonly string[] | undefined;
  now: Date;
}

/** The runs that have cost the most in a span by themselves, the costliest first. */
export async function costliestRuns(
  { span, factoryUids, seen, now }: CostliestQuery,
  limit: number,
  store: Pick<SpendStore, "findFirstUse" | "listCostliestRuns" | "listRunSpend">,
): Promise<RunSpend[]> {
  const costs = new Map<string, number>();
  for (const part of daysOf(span, await store.findFirstUse(), now)) {
    for (const { runId, costUsd } of await store.listCostliestRuns(part, factoryUids, limit * CANDIDATES))
      costs.set(runId, (costs.get(runId) ?? 0) + costUsd);
  }
  const first = [...costs].sort(([, one], [, other]) => other - one).slice(0, limit);
  const spent = await store.listRunSpend(
    first.map(([runId]) => runId),
    span,
    seen,
  );
  return spent.sort((one, other) => (other.costUsd ?? 0) - (one.costUsd ?? 0));
}

const dayOf = ({ from }: Span) => from.slice(0, "2026-01-31".length);

/** Rows of one group together. */
function merged(
  rows: readonly UsageSums[],
  idOf: (row: UsageSums) => readonly (string | null)[],
): UsageSums[] {
  const groups = new Map<string, UsageSums>();
  for (const row of rows) {
    const id = JSON.stringify(idOf(row));
    const before = groups.get(id);
    groups.set(id, before ? added(before, row) : row);
  }
  return [...groups.values()];
}

function added(one: UsageSums, other: UsageSums): UsageSums {
  return {
    factoryUid: one.factoryUid,
    key: one.key,
    root: one.root,
    runs: one.runs + other.runs,
    runsWithoutUsage: one.runsWithoutUsage + other.runsWithoutUsage,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    costUsd: addKnown(one.costUsd, other.costUsd),
    unpricedTokens: one.unpricedTokens + other.unpricedTokens,
    workedMs: one.workedMs + other.workedMs,
    cpuMs: addKnown(one.cpuMs, other.cpuMs),
    peakMemoryBytes: maxKnown(one.peakMemoryBytes, other.peakMemoryBytes),
  };
}

/**
 * The days of a span in which there can be anything, in UTC: a sum over many rows must not keep the readers of the store waiting.
 * @param first when there was something first; nothing where there is nothing
 * @param now nothing is later, but by what clocks differ
 */
export function* daysOf({ from, to }: Span, first: string | undefined, now: Date): Generator<Span> {
  if (first === undefined) return;
  const end = Math.min(Date.parse(to), now.getTime() + DAY_MS);
  for (let at = Math.max(Date.parse(from), startOfDay(Date.parse(first))); at < end; ) {
    const next = Math.min(startOfDay(at) + DAY_MS, end);
    yield { from: new Date(at).toISOString(), to: new Date(next).toISOString() };
    at = next;
  }
}

const startOfDay = (at: number) => Math.floor(at / DAY_MS) * DAY_MS;

import { daysOf } from "./days.ts";
import {
  addKnown,
  maxKnown,
  type RunSpend,
  type Span,
  type SpendStore,
  type UsageGroup,
  type UsageSums,
} from "./usage-sums.ts";

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
    rows.push(...(by === "day" ? found.map((sums) => ({ ...sums, key: dayOf(part) })) : found));
  }
  return merged(rows);
}

/**
 * What sums say of some factories.
 * @param isAsked whether the usage of a factory is wanted and may be seen; null stands for runs of none
 * @returns a row for each group; those of models and days are of no factory
 */
export function usageReport(
  by: UsageGroup,
  sums: readonly UsageSums[],
  isAsked: (factoryUid: string | null) => boolean,
): UsageSums[] {
  const asked = sums.filter(({ factoryUid }) => isAsked(factoryUid));
  if (by !== "model" && by !== "day") return asked;
  return merged(asked.map((row) => ({ ...row, factoryUid: null })));
}

/** How many runs of each day are looked at for the costliest ones, for each one that is asked for. */
const CANDIDATES = 5;

/** The runs that have cost the most in a span, the costliest first. */
export async function costliestRuns(
  { span, factoryUids, now }: { span: Span; factoryUids: readonly string[] | undefined; now: Date },
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
  );
  return spent.sort((one, other) => (other.costUsd ?? 0) - (one.costUsd ?? 0));
}

const dayOf = ({ from }: Span) => from.slice(0, "2026-01-31".length);

/** Rows of one group and factory together. */
function merged(rows: readonly UsageSums[]): UsageSums[] {
  const groups = new Map<string, UsageSums>();
  for (const row of rows) {
    const id = JSON.stringify([row.factoryUid, row.key]);
    const before = groups.get(id);
    groups.set(id, before ? added(before, row) : row);
  }
  return [...groups.values()];
}

function added(one: UsageSums, other: UsageSums): UsageSums {
  return {
    factoryUid: one.factoryUid,
    key: one.key,
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

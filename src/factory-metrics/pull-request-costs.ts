import type { PullRequestRecord } from "../pull-requests/pull-request-record.ts";
import type { FactoryMetricsStore, Spend, TreeSpend } from "./factory-metrics-store.ts";

/** What a pull request has cost. */
export interface PullRequestCost extends Spend {
  /** What each model has cost of it. */
  models: ReadonlyMap<string, number>;
}

const NOTHING: PullRequestCost = { costUsd: 0, unpricedTokens: 0, models: new Map() };

/**
 * What pull requests have cost: a run that reports one stands for its whole family, and a family that has made several divides its
 * cost evenly among them.
 * @param records every pull request of the factory, by which families are divided
 * @param wanted those whose cost is asked for
 */
export async function costsOf<Record extends PullRequestRecord>(
  {
    factoryUid,
    records,
    wanted,
  }: { factoryUid: string; records: readonly Record[]; wanted: readonly Record[] },
  store: Pick<FactoryMetricsStore, "listTreeSpend">,
): Promise<Map<Record, PullRequestCost>> {
  const divisors = new Map<string, number>();
  for (const rootId of records.flatMap(rootsOf)) divisors.set(rootId, (divisors.get(rootId) ?? 0) + 1);
  const spend = byRoot(await store.listTreeSpend(factoryUid, [...new Set(wanted.flatMap(rootsOf))]));
  return new Map(
    wanted.map((record) => {
      const shares = rootsOf(record).flatMap((rootId) =>
        (spend.get(rootId) ?? []).map((each) => shareOf(each, divisors.get(rootId) ?? 1)),
      );
      return [record, shares.reduce(added, NOTHING)];
    }),
  );
}

function byRoot(spend: readonly TreeSpend[]): Map<string, TreeSpend[]> {
  const found = new Map<string, TreeSpend[]>();
  for (const each of spend) found.set(each.rootId, [...(found.get(each.rootId) ?? []), each]);
  return found;
}

function rootsOf({ runs }: PullRequestRecord): string[] {
  return [...new Set(runs.map(({ rootId }) => rootId))];
}

function shareOf({ model, costUsd, unpricedTokens }: TreeSpend, among: number): PullRequestCost {
  const cost = costUsd / among;
  return {
    costUsd: cost,
    unpricedTokens: Math.round(unpricedTokens / among),
    models: new Map([[model, cost]]),
  };
}

function added(one: PullRequestCost, other: PullRequestCost): PullRequestCost {
  const models = new Map(one.models);
  for (const [model, cost] of other.models) models.set(model, (models.get(model) ?? 0) + cost);
  return {
    costUsd: one.costUsd + other.costUsd,
    unpricedTokens: one.unpricedTokens + other.unpricedTokens,
    models,
  };
}

export const SIZES = ["S", "M", "L", "XL"] as const;
export type PullRequestSize = (typeof SIZES)[number];

/** By the lines that were added and removed; nothing where that was not told. */
export function sizeOf({ told }: PullRequestRecord): PullRequestSize | null {
  if (!told || told.additions === null || told.deletions === null) return null;
  const lines = told.additions + told.deletions;
  if (lines < 100) return "S";
  if (lines < 500) return "M";
  return lines < 1_000 ? "L" : "XL";
}

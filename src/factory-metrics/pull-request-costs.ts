import type { PullRequestRecord } from "../pull-requests/pull-request-record.ts";
import type { FactoryMetricsStore, Spend, TreeSpend } from "./factory-metrics-store.ts";
import { linesOf } from "./factory-pull-requests.ts";
import { groupBy } from "./group-by.ts";

/** What a pull request has cost. */
export interface PullRequestCost extends Spend {
  /** What each model has cost of it. */
  models: ReadonlyMap<string, number>;
}

/** One answer of the store must not take long: others wait for it. */
const MAX_ASKED_FAMILIES = 100;

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
  const spend = await treeSpend(factoryUid, [...new Set(wanted.flatMap(rootsOf))], store);
  return new Map(
    wanted.map((record) => {
      const cost = { costUsd: 0, unpricedTokens: 0, models: new Map<string, number>() };
      for (const rootId of rootsOf(record))
        for (const each of spend.get(rootId) ?? []) addShare(cost, each, divisors.get(rootId) ?? 1);
      return [record, { ...cost, unpricedTokens: Math.round(cost.unpricedTokens) }];
    }),
  );
}

/** What families have cost, by the runs that they began with. */
async function treeSpend(
  factoryUid: string,
  rootIds: readonly string[],
  store: Pick<FactoryMetricsStore, "listTreeSpend">,
): Promise<Map<string, TreeSpend[]>> {
  const found: TreeSpend[] = [];
  for (let begin = 0; begin < rootIds.length; begin += MAX_ASKED_FAMILIES)
    found.push(...(await store.listTreeSpend(factoryUid, rootIds.slice(begin, begin + MAX_ASKED_FAMILIES))));
  return groupBy(found, ({ rootId }) => rootId);
}

function rootsOf({ runs }: PullRequestRecord): string[] {
  return [...new Set(runs.map(({ rootId }) => rootId))];
}

function addShare(
  cost: { costUsd: number; unpricedTokens: number; models: Map<string, number> },
  { model, costUsd, unpricedTokens }: TreeSpend,
  among: number,
): void {
  cost.costUsd += costUsd / among;
  cost.unpricedTokens += unpricedTokens / among;
  cost.models.set(model, (cost.models.get(model) ?? 0) + costUsd / among);
}

export const SIZES = ["S", "M", "L", "XL"] as const;
export type PullRequestSize = (typeof SIZES)[number];

/** By the lines that were added and removed; nothing where these are not known. */
export function sizeOf(record: PullRequestRecord): PullRequestSize | null {
  const changed = linesOf(record);
  if (!changed) return null;
  const lines = changed.additions + changed.deletions;
  if (lines < 100) return "S";
  if (lines < 500) return "M";
  return lines < 1_000 ? "L" : "XL";
}

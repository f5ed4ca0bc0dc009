import { costOf, type PricedUsage, type PriceTable } from "./prices.ts";

/** Whether a cost was told with the tokens, or comes from the price of the model. */
export type CostSource = "reported" | "priced";

/** What a cost is, and where it comes from; unknown is nothing, and not zero. */
export type KnownCost =
  | { costUsd: number; costSource: CostSource }
  | {
      costUsd: null;
      costSource: null;
    };

/** More of a model in one turn is no number of tokens, or no cost: programs can write anything, and sums must not overflow. */
const MAX_TOKENS = 1e12;
const MAX_USD = 1e9;

/** Keeps a cost that was told, and prices what has none by the prices in force. */
export function priceUsage<Told extends PricedUsage & { costUsd: number | null }>(
  usage: readonly Told[],
  prices: PriceTable,
): (Omit<Told, "costUsd"> & KnownCost)[] {
  return usage.map(bounded).map((each) => ({ ...each, ...knownCost(each, prices) }));
}

function bounded<Told extends PricedUsage & { costUsd: number | null }>(usage: Told): Told {
  const tokens = (count: number) => Math.round(Math.min(count, MAX_TOKENS));
  return {
    ...usage,
    inputTokens: tokens(usage.inputTokens),
    outputTokens: tokens(usage.outputTokens),
    cachedTokens: tokens(usage.cachedTokens),
    costUsd: usage.costUsd === null ? null : Math.min(usage.costUsd, MAX_USD),
  };
}

function knownCost(usage: PricedUsage & { costUsd: number | null }, prices: PriceTable): KnownCost {
  if (usage.costUsd !== null) return { costUsd: usage.costUsd, costSource: "reported" };
  const costUsd = costOf(usage, prices);
  return costUsd === null ? { costUsd, costSource: null } : { costUsd, costSource: "priced" };
}

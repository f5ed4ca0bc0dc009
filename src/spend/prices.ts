import type { PriceSetting } from "../config/price-settings.ts";
import { PRICE_LISTS, type Price } from "./list-prices.ts";

/** What a model was used for, as far as its price depends on it. */
export interface PricedUsage {
  model: string;
  /** All of the input, with what was read from a cache. */
  inputTokens: number;
  outputTokens: number;
  /** The part of the input that was read from a cache. */
  cachedTokens: number;
}

/** The prices in force. */
export interface PriceTable {
  /** @param model as a program or a provider names it @returns nothing of a model whose price is unknown */
  priceOf(model: string): Price | undefined;
}

/** A snapshot of a model has the date in its name: `claude-sonnet-4-5-20250929`, `gpt-5-2025-08-07`. */
const DATED = /-(?:\d{8}|\d{4}-\d{2}-\d{2})$/;
const TOKENS_OF_A_PRICE = 1_000_000;

/** The prices that providers list, by every name under which programs report the models. */
const LISTED: ReadonlyMap<string, Price> = new Map(
  PRICE_LISTS.flatMap(({ provider, prices }) =>
    Object.entries(prices).flatMap(([model, price]): [string, Price][] => [
      [model, price],
      // Programs that know several providers put its name before that of the model.
      [`${provider}/${model}`, price],
    ]),
  ),
);

/** @param settings `prices:` of millrace.yaml, which count before the prices that providers list */
export function priceTable(settings: Readonly<Record<string, PriceSetting>> = {}): PriceTable {
  const set = new Map(Object.entries(settings).map(([model, setting]) => [model, setPrice(setting)]));
  return {
    priceOf(model) {
      const undated = model.replace(DATED, "");
      return set.get(model) ?? set.get(undated) ?? LISTED.get(model) ?? LISTED.get(undated);
    },
  };
}

/** @returns the cost in US dollars; nothing where the price of the model is unknown */
export function costOf(usage: PricedUsage, prices: PriceTable): number | null {
  const price = prices.priceOf(usage.model);
  if (!price) return null;
  // Of a program that reports the two apart it cannot be known that one contains the other.
  const cached = Math.min(usage.cachedTokens, usage.inputTokens);
  const cost =
    (usage.inputTokens - cached) * price.input + cached * price.cached + usage.outputTokens * price.output;
  return cost / TOKENS_OF_A_PRICE;
}

function setPrice({ input, output, cached = input }: PriceSetting): Price {
  return { input, cached, output };
}

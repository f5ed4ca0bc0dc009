import type { PriceSetting } from "../config/config.ts";
import { PRICE_LISTS, type Price } from "./list-prices.ts";

/** What a model was used for, as far as its price depends on it. */
interface PricedUsage {
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

/** Families of models by the names under which programs take whichever of them they use at present. */
const FAMILIES: Readonly<Record<string, RegExp>> = {
  fable: /^claude-fable-/,
  opus: /^claude-(?:3-)?opus/,
  sonnet: /^claude-(?:[\d-]+-)?sonnet/,
  haiku: /^claude-(?:[\d-]+-)?haiku/,
  // It plans with the one, and carries out with the other.
  opusplan: /^claude-(?:[\d-]+-)?(?:opus|sonnet)/,
  codex: /^gpt-[\d.]+-codex|^codex-/,
  pro: /^gemini-[\d.]+-pro/,
  flash: /^gemini-[\d.]+-flash(?!-lite)/,
  "flash-lite": /^gemini-[\d.]+-flash-lite/,
};
/** A claude with a larger context: its provider charges twice as much for long input, and half as much again for output. */
const LARGE_CONTEXT = /\[1m\]$/;

/** The dearest of the models that an alias can mean, so that a budget holds whichever it is. */
function dearestOf(family: RegExp): Price | undefined {
  const all = PRICE_LISTS.flatMap(({ prices }) => Object.entries(prices)).flatMap(([model, each]) =>
    family.test(model) ? [each] : [],
  );
  if (all.length === 0) return undefined;
  const most = (key: keyof Price) => Math.max(...all.map((each) => each[key]));
  return { input: most("input"), cached: most("cached"), output: most("output") };
}

const ALIASES: ReadonlyMap<string, Price> = new Map(
  Object.entries(FAMILIES).flatMap(([alias, family]): [string, Price][] => {
    const dearest = dearestOf(family);
    return dearest === undefined ? [] : [[alias, dearest]];
  }),
);

/** Whether a name leaves the model to the program: a budget then counts what that reports. */
export const isChosenByProgram = (model: string): boolean => model === "auto" || model === "default";

/** @param settings `prices:` of millrace.yaml, which count before the prices that providers list */
export function priceTable(settings: Readonly<Record<string, PriceSetting>> = {}): PriceTable {
  const set = new Map(Object.entries(settings).map(([model, setting]) => [model, setPrice(setting)]));
  function priceOf(model: string): Price | undefined {
    const undated = model.replace(DATED, "");
    const exact = set.get(model) ?? set.get(undated) ?? LISTED.get(model) ?? LISTED.get(undated);
    if (exact || !LARGE_CONTEXT.test(model)) return exact ?? ALIASES.get(model);
    const small = priceOf(model.replace(LARGE_CONTEXT, ""));
    return small && { input: 2 * small.input, cached: 2 * small.cached, output: 1.5 * small.output };
  }
  return { priceOf };
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

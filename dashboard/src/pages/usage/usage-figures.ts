import type { Models } from "../../api/models.ts";
import { shortCostText } from "../../parts/runs/cost-text.ts";

/** What rows of usage have in common. */
export type Used = Pick<
  Models["UsageRow"],
  "input_tokens" | "output_tokens" | "cached_tokens" | "cost_usd" | "unpriced_tokens"
>;

const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** A number of tokens, rounded: 1.2M. */
export function tokenText(tokens: number): string {
  return COMPACT.format(tokens);
}

/** A cost, or that it is not known. */
export function spentText({ cost_usd: cost }: Pick<Used, "cost_usd">): string {
  return cost === null ? "unknown" : shortCostText(cost);
}

/** What families have cost, where that is known of some. */
export function familyCostText({ family_cost_usd: cost }: { family_cost_usd: number | null }): string {
  return cost === null ? "–" : shortCostText(cost);
}

/** What a cost leaves out, in words; nothing where it leaves out nothing. */
export function unpricedText({ cost_usd: cost, unpriced_tokens: unpriced }: Used): string | undefined {
  if (unpriced === 0) return undefined;
  return `${cost === null ? "" : "plus "}${tokenText(unpriced)} tokens of unknown price`;
}

/** Rows together. */
export function sumOf(rows: readonly Used[]): Used {
  const sum = (key: Exclude<keyof Used, "cost_usd">) => rows.reduce((total, row) => total + row[key], 0);
  const known = rows.flatMap(({ cost_usd }) => cost_usd ?? []);
  return {
    input_tokens: sum("input_tokens"),
    output_tokens: sum("output_tokens"),
    cached_tokens: sum("cached_tokens"),
    cost_usd: known.length === 0 ? null : known.reduce((total, cost) => total + cost, 0),
    unpriced_tokens: sum("unpriced_tokens"),
  };
}

/** What bars show: money where some is known, else tokens. */
export interface Measure {
  name: string;
  of(row: Used): number;
  text(value: number): string;
}

const COST: Measure = { name: "Cost", of: ({ cost_usd }) => cost_usd ?? 0, text: shortCostText };
const TOKENS: Measure = {
  name: "Tokens",
  of: ({ input_tokens, output_tokens }) => input_tokens + output_tokens,
  text: tokenText,
};

export function measureOf(rows: readonly Used[]): Measure {
  return rows.some(({ cost_usd }) => cost_usd !== null && cost_usd > 0) ? COST : TOKENS;
}

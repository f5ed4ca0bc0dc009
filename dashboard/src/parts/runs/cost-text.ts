/** What something has cost, to the hundredth of a cent: single steps cost little. */
export function costText(usd: number): string {
  return `$${usd.toFixed(4)}`;
}

/** The same for a column of a list: whole cents. */
export function shortCostText(usd: number): string {
  return usd > 0 && usd < 0.01 ? "< $0.01" : `$${usd.toFixed(2)}`;
}

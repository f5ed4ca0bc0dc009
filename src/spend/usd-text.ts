/** An amount of money for people, rounded: `$12`, `$0.42`. */
export function usdText(usd: number): string {
  if (usd === 0) return "$0";
  return usd < 10 ? `$${usd.toFixed(2)}` : `$${Math.round(usd).toLocaleString("en")}`;
}

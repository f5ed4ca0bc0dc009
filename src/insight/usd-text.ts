/** An amount of money for people, rounded: `$12`, `$0.42`. */
export function usdText(usd: number): string {
  if (usd === 0) return "$0";
  return usd < 10 ? `$${usd.toFixed(2)}` : `$${Math.round(usd).toLocaleString("en")}`;
}

const USD = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});

/** An amount of US dollars that is compared with another one, not rounded: `$0.30`, `$1.0009`. */
export function exactUsdText(usd: number): string {
  return USD.format(usd);
}

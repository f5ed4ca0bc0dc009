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

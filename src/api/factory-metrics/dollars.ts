import type { Spend } from "../../insight/factory-metrics-store.ts";

/** Spend as the API shows it. Only models cost anything: machines and the server are the user's own. */
export function dollarsOf(spend: readonly Spend[]) {
  const inference = roundedUsd(spend.reduce((sum, { costUsd }) => sum + costUsd, 0));
  const unpriced = spend.reduce((sum, { unpricedTokens }) => sum + unpricedTokens, 0);
  return { inference, compute: 0, platform: 0, total: inference, unpriced_tokens: unpriced };
}

/** The mean spend of some things; nothing where there are none. */
export function meanUsd(spend: readonly Spend[]): number | null {
  return spend.length === 0 ? null : roundedUsd(dollarsOf(spend).inference / spend.length);
}

/** Without the noise of binary fractions: a millionth of a cent is less than any token costs. */
export const roundedUsd = (usd: number) => Math.round(usd * 1e8) / 1e8;

import type { Models } from "../client/client.ts";
import { exactUsdText } from "../insight/usd-text.ts";
import { pluralize } from "../pluralize.ts";

/** A budget and what is used of it, a limit a line. */
export function budgetText(budget: Models["Budget"]): string {
  const { usdPerRun, usdPerDay, tokensPerRun, runsPerDay, used, onExhausted, opens_at: opensAt } = budget;
  const what = onExhausted === "wait" ? "further runs wait" : "further runs are skipped";
  return [
    ...(usdPerDay === undefined
      ? []
      : [`${exactUsdText(used.usdPerDay)} of ${exactUsdText(usdPerDay)} used in the last 24 hours`]),
    ...(runsPerDay === undefined
      ? []
      : [`${used.runsPerDay} of ${pluralize(runsPerDay, "run")} started in the last 24 hours`]),
    ...(usdPerRun === undefined ? [] : [`${exactUsdText(usdPerRun)} for each run`]),
    ...(tokensPerRun === undefined ? [] : [`${pluralize(tokensPerRun, "token")} for each run`]),
    ...(opensAt === null ? [] : [`used up: ${what} until ${opensAt}`]),
  ].join("\n");
}

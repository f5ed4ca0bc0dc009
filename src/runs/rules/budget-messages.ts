import { exactUsdText } from "../../insight/usd-text.ts";
import { pluralize } from "../../pluralize.ts";
import type { BudgetOwner, DayLimit, OverBudget, UsedUpDay } from "./budget.ts";

/** Why a run is ended that has gone over a budget, and what to do about it. */
export function overBudgetMessage(over: OverBudget): string {
  switch (over.limit) {
    case "usdPerRun":
      return `The run has used ${exactUsdText(over.used)}, and ${limitedBy(over.owner)} limits ${runOf(over.owner)} to ${exactUsdText(over.most)} (usdPerRun). ${RAISE}`;
    case "tokensPerRun":
      return `The run has used ${tokens(over.used)}, and ${limitedBy(over.owner)} limits ${runOf(over.owner)} to ${tokens(over.most)} (tokensPerRun). ${RAISE}`;
    case "usdPerDay":
      return `The runs of ${limitedBy(over.owner)} have used ${exactUsdText(over.used)} in the last 24 hours, and its budget is ${exactUsdText(over.most)} (usdPerDay). Raise the budget, or wait until less was used in 24 hours.`;
    case "price":
      return unpricedMessage(over.model);
  }
}

const RAISE = "Raise the budget, or give the agent a smaller task.";

/** Why a run with a budget in US dollars cannot go on with a model. */
export function unpricedMessage(model: string): string {
  return `The run has a budget in US dollars, and the price of the model ${model} is not known. Set it under prices: in millrace.yaml, choose a model whose price is known, or use tokensPerRun instead.`;
}

/** What a limit of a day is. */
export function dayLimitText(limit: DayLimit, most: number): string {
  return limit === "usdPerDay"
    ? `The limit is ${exactUsdText(most)} in 24 hours (usdPerDay).`
    : `The limit is ${pluralize(most, "run")} in 24 hours (runsPerDay).`;
}

/** That a day is used up, without what follows from it. */
export function usedUpText({ owner, limit, most, used }: UsedUpDay): string {
  const of = `The ${owner.kind} ${owner.name}`;
  return limit === "usdPerDay"
    ? `${of} has used ${exactUsdText(used)} of ${exactUsdText(most)} in the last 24 hours (usdPerDay).`
    : `${of} has started ${used} of ${pluralize(most, "run")} in the last 24 hours (runsPerDay).`;
}

/** Why a run is ended in place of waiting. */
export function skippedMessage(day: UsedUpDay): string {
  return `${usedUpText(day)} The run was not started, because onExhausted is skip. Raise the budget, or run it again when less was used in 24 hours.`;
}

const tokens = (count: number) => pluralize(Math.round(count), "token");
const limitedBy = (owner: BudgetOwner | null) => (owner ? `the ${owner.kind} ${owner.name}` : "its request");
const runOf = (owner: BudgetOwner | null) => (owner ? "each run" : "it");

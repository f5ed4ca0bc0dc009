import { isChosenByProgram, type PriceTable } from "../../insight/prices.ts";
import { type Budgets, countsUsd, turnBudgetOf } from "../rules/budget.ts";
import { overBudgetMessage, skippedMessage, unpricedMessage } from "../rules/budget-messages.ts";
import type { Claim, RunStore } from "../run.ts";

export interface BudgetDeps {
  store: Pick<RunStore, "findOverBudget">;
  /** What models cost. */
  prices: PriceTable;
  /** The active budgets. */
  budgets: () => Budgets;
}

/** Why a claimed turn ends before anything of it is prepared: a budget does not let it begin. */
export async function whyOverBudget(
  { run, refusal }: Claim,
  { store, prices, budgets }: BudgetDeps,
): Promise<string | undefined> {
  if (refusal) return skippedMessage(refusal);
  const budget = turnBudgetOf(run, budgets());
  if (!budget) return undefined;
  const { model } = run.execution.harness;
  // A budget that cannot be counted would be none.
  if (countsUsd(budget) && model !== undefined && !isChosenByProgram(model) && !prices.priceOf(model))
    return unpricedMessage(model);
  const over = run.turn > 1 ? await store.findOverBudget(run.id, budget) : undefined;
  return over && overBudgetMessage(over);
}

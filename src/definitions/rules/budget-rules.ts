import type { Budget } from "../definition.ts";
import type { Problem } from "../problem.ts";
import { type FileRule, problemAt } from "../tree.ts";
import { levels, missing, type Named, type ReferenceRule, whereWritten } from "./reference-rules.ts";

type WithBudget = { millrace?: { budget?: Budget } };

/** Only the limits of a day are used up by other runs: a run has no others to wait for. */
export const exhaustedDaysHaveALimit: FileRule<WithBudget> = (written): Problem[] => {
  const { onExhausted, usdPerDay, runsPerDay } = written.data.millrace?.budget ?? {};
  if (onExhausted === undefined || usdPerDay !== undefined || runsPerDay !== undefined) return [];
  const message =
    "onExhausted has no effect without a limit for a day: add usdPerDay or runsPerDay, or remove onExhausted";
  return [problemAt(written, ["millrace", "budget", "onExhausted"], "FF_INVALID_VALUE", message)];
};

/** The models of runs that end before they start, because their budget in US dollars cannot be counted. */
export const pricesAreKnown: ReferenceRule = (loaded, isThere) => {
  const named = levels(loaded).flatMap((level): Named[] => {
    const { model } = level.of.execution.harness;
    const budgets = [loaded.definition?.factory, level.of, ...level.from].map((each) => each?.budget);
    if (model === undefined || !budgets.some(countsUsd)) return [];
    const hasModel = (harness: unknown) =>
      (harness as { model?: unknown } | undefined)?.model === model ? ["model"] : undefined;
    return [{ name: model, written: whereWritten(level, ["harness"], hasModel, loaded) }];
  });
  return missing(named, isThere, loaded, (model) => {
    return `the price of the model ${model} is not known, so runs with a budget in US dollars end before they start: set it under prices: in millrace.yaml, or use tokensPerRun`;
  });
};

function countsUsd(budget: Budget | undefined): boolean {
  return budget?.usdPerRun !== undefined || budget?.usdPerDay !== undefined;
}

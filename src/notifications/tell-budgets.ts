import type { Factory } from "../reconcile/running-factory.ts";
import { runCaps } from "../runs/caps.ts";
import { DAY_LIMITS } from "../runs/rules/budget.ts";
import { dayLimitText } from "../runs/rules/budget-messages.ts";
import type { NotificationContent } from "./content.ts";

/**
 * Says of a factory, an agent or an automation that a limit of its day is used up.
 * @returns nothing when the definition does not have the limit any more
 */
export function tellOfBudget(
  factory: Factory,
  { uid, limit }: { uid: string; limit: string },
  at: string,
  publicUrl: string,
): NotificationContent | undefined {
  const { record } = factory;
  const budget = runCaps([factory]).budgets[uid];
  const known = DAY_LIMITS.find((each) => each === limit);
  const most = known && budget?.[known];
  if (!budget || !known || most === undefined) return undefined;
  const { kind, name, onExhausted = "wait" } = budget;
  const of = kind === "factory" ? `factory ${name}` : `${kind} ${name} (factory ${record.name})`;
  const then = onExhausted === "wait" ? "Further runs wait." : "Further runs are not started.";
  return {
    event: "budget.reached",
    at,
    summary: `The budget of ${of} is used up`,
    url: `${publicUrl}/factories/${encodeURIComponent(record.name)}`,
    factory: { uid: record.uid, name: record.name },
    budget: { of: kind, name, limit: known, most },
    detail: `${dayLimitText(known, most)} ${then}`,
  };
}

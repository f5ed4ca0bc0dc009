import type { Share } from "../config/config.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import type { Budgets } from "./rules/budget.ts";

/** How many runs may execute at once or start in an hour, and what they may use, by uid; what is not in it has no cap. */
export interface RunCaps {
  /** Runs of an automation that execute at once. */
  automations: Readonly<Record<string, number>>;
  /** Runs of a factory, whatever started them, that a worker takes for the first time within an hour. */
  factories: Readonly<Record<string, number>>;
  /** Of factories, agents and automations. */
  budgets: Budgets;
  /** Of factories, by the settings. */
  shares?: Readonly<Record<string, Share>>;
}

export const NO_CAPS: RunCaps = { automations: {}, factories: {}, budgets: {} };

/**
 * The caps that the active definitions set. A disabled automation has runs that wait, too.
 * @param shares of factories, by their names
 */
export function runCaps(
  factories: readonly Pick<Factory, "record" | "active">[],
  shares: Readonly<Record<string, Share>> = {},
): RunCaps {
  const automations: Record<string, number> = {};
  const perHour: Record<string, number> = {};
  const budgets: Record<string, Budgets[string]> = {};
  const shareOf: Record<string, Share> = {};
  for (const { record, active } of factories) {
    const share = Object.hasOwn(shares, record.name) ? shares[record.name] : undefined;
    if (share) shareOf[record.uid] = share;
    if (!active) continue;
    const { factory, automations: defined, agents } = active.definition;
    if (factory.runsPerHour !== undefined) perHour[record.uid] = factory.runsPerHour;
    if (factory.budget) budgets[record.uid] = { kind: "factory", name: factory.name, ...factory.budget };
    for (const { name, budget } of agents) {
      const uid = active.uidOf("agent", name);
      if (uid !== undefined && budget) budgets[uid] = { kind: "agent", name, ...budget };
    }
    for (const { name, concurrency, budget } of defined) {
      const uid = active.uidOf("automation", name);
      if (uid !== undefined && concurrency !== undefined) automations[uid] = concurrency;
      if (uid !== undefined && budget) budgets[uid] = { kind: "automation", name, ...budget };
    }
  }
  return { automations, factories: perHour, budgets, shares: shareOf };
}

import type { Factory } from "../reconcile/running-factory.ts";

/** How many runs may execute at once or start in an hour, by uid; what is not in it has no cap. */
export interface RunCaps {
  /** Runs of an automation that execute at once. */
  automations: Readonly<Record<string, number>>;
  /** Runs of a factory, whatever started them, that a worker takes for the first time within an hour. */
  factories: Readonly<Record<string, number>>;
}

export const NO_CAPS: RunCaps = { automations: {}, factories: {} };

/** The caps that the active definitions set. A disabled automation has runs that wait, too. */
export function runCaps(factories: readonly Factory[]): RunCaps {
  const automations: Record<string, number> = {};
  const perHour: Record<string, number> = {};
  for (const { record, active } of factories) {
    if (!active) continue;
    const { factory, automations: defined } = active.definition;
    if (factory.runsPerHour !== undefined) perHour[record.uid] = factory.runsPerHour;
    for (const { name, concurrency } of defined) {
      const uid = active.uidOf("automation", name);
      if (uid !== undefined && concurrency !== undefined) automations[uid] = concurrency;
    }
  }
  return { automations, factories: perHour };
}

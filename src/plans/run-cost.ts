import type { SpendStore } from "../insight/usage.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import type { RunCost, Traffic } from "./traffic.ts";

/** So many runs tell what the next one costs. */
const LAST_RUNS = 50;

/** What a run of an automation costs; nothing where no cost of its last runs is known. */
async function findRunCost(
  automationUid: string,
  spend: Pick<SpendStore, "listRunCosts">,
): Promise<RunCost | undefined> {
  const costs = await spend.listRunCosts(automationUid, LAST_RUNS);
  return costs.length === 0 ? undefined : { median: medianOf(costs), runs: costs.length };
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

/** Adds to each automation that would start more or fewer runs what a run of it costs. */
export async function priceTraffic(
  traffic: Traffic,
  { active }: Pick<Factory, "active">,
  spend: Pick<SpendStore, "listRunCosts">,
): Promise<Traffic> {
  // Of a part of a week's deliveries nobody knows what a week costs.
  if (!traffic.complete) return traffic;
  const automations = await Promise.all(
    traffic.automations.map(async (automation) => {
      const { name, before, after } = automation;
      const uid = active?.uidOf("automation", name);
      const cost = uid === undefined || before === after ? undefined : await findRunCost(uid, spend);
      return cost ? { ...automation, cost } : automation;
    }),
  );
  return { ...traffic, automations };
}

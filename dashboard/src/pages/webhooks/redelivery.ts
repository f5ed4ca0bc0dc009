import type { Millrace, Models } from "../../../../src/client/client.ts";
import { fewAtATime } from "../../parts/few-at-a-time.ts";

type Delivery = Models["Delivery"];
type Client = { deliveries: Pick<Millrace["deliveries"], "explain" | "redeliver"> };

/** What redelivering some deliveries would start, by the active definitions. */
export interface RedeliveryPlan {
  automations: { name: string; factory: string; count: number; isPaused: boolean }[];
  runs: number;
  /** How many deliveries start nothing. */
  idle: number;
  /** Of how many nobody can say. */
  unknown: number;
  /** Of those that start nothing: why the closest automation of the last one does not take it. */
  closest?: { name: string; reason: string };
}

export async function plannedRuns(
  { deliveries: api }: Client,
  deliveries: readonly Delivery[],
): Promise<RedeliveryPlan> {
  const plan: RedeliveryPlan = { automations: [], runs: 0, idle: 0, unknown: 0 };
  await fewAtATime(deliveries, async ({ factory, delivery_id: id }) => {
    const explained = await api.explain(factory, id).catch(() => undefined);
    if (!explained || explained.automations.length === 0) {
      plan.unknown += 1;
      return;
    }
    const starting = explained.automations.filter(({ result }) => result === "Would trigger");
    const [closest] = explained.automations;
    if (starting.length === 0) plan.idle += 1;
    if (starting.length === 0 && closest?.reason)
      plan.closest = { name: closest.name, reason: closest.reason };
    for (const { name, paused } of starting) {
      plan.runs += 1;
      const known = plan.automations.find((other) => other.name === name && other.factory === factory);
      if (known) known.count += 1;
      else plan.automations.push({ name, factory, count: 1, isPaused: paused });
    }
  });
  plan.automations.sort((a, b) => b.count - a.count || a.name.localeCompare(b.name));
  return plan;
}

/**
 * Redelivers them, the oldest first, as they came. One that cannot be redelivered keeps none of the others from it; asked
 * again with the same key, those that were redelivered are not redelivered twice.
 * @param key what makes all attempts of the same dialog one
 * @returns how many runs were started, and how many earlier ones were joined or continued
 * @throws the error of the only one, or an error that counts those that could not be redelivered
 */
export async function redeliverAll(
  { deliveries: api }: Client,
  deliveries: readonly Delivery[],
  key: string,
): Promise<{ started: number; continued: number }> {
  let started = 0;
  const continued = new Set<string>();
  const errors: unknown[] = [];
  const oldestFirst = [...deliveries].sort((a, b) => (a.delivery_id < b.delivery_id ? -1 : 1));
  for (const { factory, delivery_id: id } of oldestFirst) {
    try {
      const { dispositions = [] } = await api.redeliver(factory, id, { idempotencyKey: `${key}-${id}` });
      for (const { kind, run_id } of dispositions) {
        if (kind === "joined" || kind === "continued") continued.add(run_id);
        else started += 1;
      }
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 0) return { started, continued: continued.size };
  const [first] = errors;
  if (deliveries.length === 1) throw first;
  const why = first instanceof Error ? first.message : String(first);
  throw new Error(
    `${errors.length} of ${deliveries.length} deliveries could not be redelivered. The first: ${why}`,
  );
}

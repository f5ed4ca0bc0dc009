import type { DeliveryGrouping } from "../definitions/concurrency.ts";
import type { EventProviderName } from "../definitions/definition.ts";
import { EVENT_PROVIDERS } from "../definitions/events/event-provider.ts";
import { compileKey } from "../definitions/key-template.ts";
import { simulateRuns } from "../definitions/simulated-runs.ts";
import { instantOfUuid } from "../id.ts";
import type { StoredDelivery } from "./replay.ts";

/** The runs of the deliveries that fire an automation. */
export interface CountedRuns {
  deliveries: number;
  runs: number;
  /** How many of the deliveries would be a message to a run that has started. */
  continued: number;
}

export interface RunCounter {
  take(delivery: StoredDelivery, provider: EventProviderName | undefined): void;
  count(): CountedRuns;
}

/**
 * Counts the runs of deliveries, which may come in any order: their ids tell the time. Nobody knows how long the runs would take, so
 * that each turn counts as if it took no time: no fewer runs than that would start, except where they would wait for each other.
 */
export function createRunCounter({ keyed, debounce }: DeliveryGrouping): RunCounter {
  const firing: { id: string; key: string | undefined; size: number }[] = [];
  const keysOf = new Map<EventProviderName | undefined, (payload: unknown) => string | undefined>();
  const happenings = new Set<string>();
  let deliveries = 0;
  return {
    take({ id, payload, size }, provider) {
      const happening = provider && EVENT_PROVIDERS[provider].happeningOf?.(payload);
      if (happening !== undefined && happenings.has(happening)) return;
      if (happening !== undefined) happenings.add(happening);
      deliveries += 1;
      if (!keyed && !debounce) return;
      const keyOf = keyed && (keysOf.get(provider) ?? compileKey(keyed.key, provider));
      if (keyOf) keysOf.set(provider, keyOf);
      firing.push({ id, key: keyOf?.(payload), size });
    },
    count() {
      if (!keyed && !debounce) return { deliveries, runs: deliveries, continued: 0 };
      firing.sort((one, other) => (one.id < other.id ? -1 : 1));
      const timed = firing.map(({ id, ...rest }) => ({ at: Date.parse(instantOfUuid(id)), ...rest }));
      const runs = simulateRuns(timed, { keyed, debounce, runMs: 0 }).filter(
        ({ replaced }) => replaced !== "waiting",
      );
      const continued = runs.reduce((sum, run) => sum + run.continued, 0);
      return { deliveries, runs: runs.length, continued };
    },
  };
}

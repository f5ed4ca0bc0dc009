import { HOUR_MS, MINUTE_MS } from "../time/duration.ts";
import type { DeliveryCounts, DeliveryStore, LoggedWebhook } from "./delivery.ts";

/** The hours that are shown of a webhook: those of the last day, the present one included. */
export const SHOWN_HOURS = 24;

/** What is recorded late is recorded within this time. */
const LATE_MS = MINUTE_MS;

const NOTHING: DeliveryCounts = { accepted: 0, duplicates: 0, rejected: 0 };

/** The beginnings of the hours that are shown, the oldest first, in milliseconds. */
export function shownHours(now: Date): number[] {
  const present = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return Array.from({ length: SHOWN_HOURS }, (_, place) => present - (SHOWN_HOURS - 1 - place) * HOUR_MS);
}

/**
 * Counts the deliveries of webhooks by the hour. An hour that is over gets no more of them, and may have a hundred thousand:
 * it is counted once.
 */
export function deliveryHours(
  store: Pick<DeliveryStore, "listHourlyDeliveries">,
  now: () => Date,
): (webhooks: readonly LoggedWebhook[]) => Promise<Map<string, DeliveryCounts[]>> {
  const past = new Map<number, Map<string, DeliveryCounts>>();

  async function countsIn(hour: number, webhooks: readonly LoggedWebhook[]) {
    const known = past.get(hour) ?? new Map<string, DeliveryCounts>();
    const missing = webhooks.filter((webhook) => !known.has(keyOf(webhook)));
    if (missing.length === 0) return known;
    const counted = await store.listHourlyDeliveries(missing, hour);
    const found = new Map(counted.map((counts) => [keyOf(counts), counts]));
    const all = new Map(known);
    for (const webhook of missing) all.set(keyOf(webhook), found.get(keyOf(webhook)) ?? NOTHING);
    if (hour + HOUR_MS + LATE_MS < now().getTime()) past.set(hour, all);
    return all;
  }

  return async (webhooks) => {
    const hours = shownHours(now());
    for (const hour of past.keys()) if (hour < (hours[0] ?? 0)) past.delete(hour);
    const counts = new Map<string, DeliveryCounts[]>(webhooks.map(({ uid }) => [uid, []]));
    for (const hour of hours) {
      const found = await countsIn(hour, webhooks);
      for (const webhook of webhooks) counts.get(webhook.uid)?.push(found.get(keyOf(webhook)) ?? NOTHING);
    }
    return counts;
  };
}

const keyOf = ({ factoryUid, uid }: LoggedWebhook) => `${factoryUid}/${uid}`;

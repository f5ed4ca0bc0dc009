import type { Models } from "../../api/models.ts";
import { Sparkline } from "../../parts/sparkline.tsx";

type Hours = NonNullable<Models["WebhookActivity"]["hours"]>;

/** The deliveries of each hour of a day, and those of them that were rejected. */
export function DeliverySparkline({ hours: { accepted, duplicates, rejected } }: { hours: Hours }) {
  const counts = accepted.map((count, place) => count + (duplicates[place] ?? 0) + (rejected[place] ?? 0));
  return <Sparkline counts={counts} failed={rejected} what="Deliveries" failing="rejected" />;
}

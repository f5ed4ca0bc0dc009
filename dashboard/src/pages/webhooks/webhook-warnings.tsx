import type { Models } from "../../api/models.ts";
import { Chip } from "../../parts/chip.tsx";
import { timeSince } from "../../parts/time/time-text.ts";
import { silence } from "./silence.ts";

/** What a person has to look at: a webhook that refuses everything or has fallen silent, and deliveries that left no record. */
export function WebhookWarnings({ activity }: { activity: Models["WebhookActivity"] | undefined }) {
  if (!activity) return null;
  const silentSince = silence(activity.latest, Date.now());
  const dropped = activity.dropped.over_budget + activity.dropped.blocked;
  return (
    <>
      {activity.refuses_all && <Chip tone="red">Refuses all</Chip>}{" "}
      {silentSince && <Chip tone="amber">{`Silent, last delivery ${timeSince(silentSince)}`}</Chip>}{" "}
      {dropped > 0 && <Chip tone="amber">{`${dropped.toLocaleString()} dropped`}</Chip>}
    </>
  );
}

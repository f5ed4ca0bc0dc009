import type { Models } from "../../api/models.ts";
import { Chip } from "../../parts/chip.tsx";

/** What a person has to look at: a webhook that refuses everything, and deliveries that left no record. */
export function WebhookWarnings({ activity }: { activity: Models["WebhookActivity"] | undefined }) {
  if (!activity) return null;
  const dropped = activity.dropped.over_budget + activity.dropped.blocked;
  return (
    <>
      {activity.refuses_all && <Chip tone="red">Refuses all</Chip>}{" "}
      {dropped > 0 && <Chip tone="amber">{`${dropped.toLocaleString()} dropped`}</Chip>}
    </>
  );
}

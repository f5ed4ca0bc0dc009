import type { Models } from "../../client/typed-paths.ts";
import { MillraceError } from "../../errors/error.ts";
import type { Delivery, DeliveryStore, LoggedWebhook } from "../../ingress/delivery.ts";
import type { ActiveWebhook } from "../../reconcile/active-definition.ts";
import { DAY_MS, parseDuration } from "../../time/duration.ts";

/** A secret that has leaked must not stay good for longer because somebody forgot it. */
const MAX_OVERLAP_MS = 30 * DAY_MS;
/** So many of the last deliveries are looked at for who still uses the previous secret. */
const MAX_LOOKED_AT = 500;
const MAX_SENDERS = 20;

export interface PreviousSecretDeps {
  deliveries: Pick<DeliveryStore, "listProvedByPrevious">;
  now: () => Date;
}

/**
 * When the overlap of a rotation ends that is asked for; nothing without one.
 * @throws MillraceError `invalid_request`
 */
export function endOfOverlap(asked: string | undefined, now: Date): string | undefined {
  if (asked === undefined) return undefined;
  const length = parseDuration(asked, ["d", "h", "m"]);
  if (length !== undefined && length > 0 && length <= MAX_OVERLAP_MS)
    return new Date(now.getTime() + length).toISOString();
  throw new MillraceError(
    "invalid_request",
    `overlap is ${JSON.stringify(asked)}: expected a number of minutes, hours or days such as 30m, 24h or 7d, at most 30d.`,
    {
      remedy: "Without overlap, the previous secret stops working immediately.",
      extra: { field: "overlap" },
    },
  );
}

/** The previous secret of a webhook while it is accepted, with who still uses it; nothing afterwards. */
export async function previousSecretView(
  webhook: LoggedWebhook,
  active: ActiveWebhook | undefined,
  { deliveries, now }: PreviousSecretDeps,
): Promise<Models["PreviousSecret"] | null> {
  const previous = active?.previous;
  if (!previous || Date.parse(previous.until) <= now().getTime()) return null;
  const { since } = previous;
  const used = await deliveries.listProvedByPrevious(webhook, { since, limit: MAX_LOOKED_AT });
  return { until: previous.until, last_used_at: used[0]?.time ?? null, senders: sendersOf(used) };
}

/** The senders of deliveries, the last one first. */
function sendersOf(deliveries: readonly Delivery[]): Models["PreviousSecret"]["senders"] {
  const senders = new Map<string, Models["PreviousSecret"]["senders"][number]>();
  for (const { sender, time } of deliveries) {
    const [address, userAgent] = [sender?.address ?? null, sender?.userAgent ?? null];
    const key = JSON.stringify([address, userAgent]);
    const known = senders.get(key);
    if (known) known.deliveries += 1;
    else senders.set(key, { address, user_agent: userAgent, deliveries: 1, last_delivery_at: time });
  }
  return [...senders.values()].slice(0, MAX_SENDERS);
}

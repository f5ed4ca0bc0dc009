import type { IncomingMessage, ServerResponse } from "node:http";
import type { BodyRoom } from "./body-room.ts";
import { failureBudget, rateBudget } from "./budget.ts";
import { clientAddress } from "./client-address.ts";
import type { Delivery, DeliveryStore, Recorded } from "./delivery.ts";
import { createMatcher } from "./matcher.ts";
import { type OwnDeliveries, ownDeliveries } from "./own-deliveries.ts";
import { bodyReader } from "./read-body.ts";
import { redeliver } from "./redeliver.ts";
import { ingressHandler, type RouterParts } from "./router.ts";

export interface GateSettings {
  deliveriesPerMinute: number;
  failedAuthPerMinute: number;
  /** Proxies whose X-Forwarded-For is believed. */
  trustProxy: readonly string[];
}

export interface GateParts
  extends Omit<
    RouterParts,
    "match" | "own" | "addressOf" | "readBody" | "deliveryBudget" | "failureBudget" | "refusalBudget"
  > {
  store: RouterParts["store"] & Pick<DeliveryStore, "findPayload">;
  /** The memory for bodies on their way. */
  room: BodyRoom;
}

/** The ingress: what senders reach, and what its owner can do with what they sent. */
export interface Gate {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Takes an accepted delivery in once more. @throws MillraceError `conflict` when that cannot be */
  redeliver(delivery: Delivery): Promise<Recorded>;
  /** How this server sends a delivery to itself, which is then believed less than one of the provider. */
  sendOwn: OwnDeliveries["sending"];
  stop(): Promise<void>;
}

/** Beyond this, refusals of a webhook leave no record, so that nobody can flood its log (docs/webhooks.md). */
const RECORDED_REFUSALS_PER_MINUTE = 60;

/** The budgets last as long as the process, whatever becomes of the definitions. */
export function createGate(settings: GateSettings, parts: GateParts): Gate {
  const clock = () => performance.now();
  const { match, stop } = createMatcher(parts);
  const own = ownDeliveries();
  return {
    handle: ingressHandler({
      ...parts,
      match,
      own,
      addressOf: clientAddress(settings.trustProxy),
      readBody: bodyReader({ room: parts.room }),
      deliveryBudget: rateBudget(settings.deliveriesPerMinute, clock),
      failureBudget: failureBudget(settings.failedAuthPerMinute, clock),
      refusalBudget: rateBudget(RECORDED_REFUSALS_PER_MINUTE, clock),
    }),
    async redeliver(delivery) {
      const recorded = await redeliver(delivery, { ...parts, match });
      parts.onRecorded(recorded.outcome);
      return recorded;
    },
    sendOwn: own.sending,
    stop,
  };
}

import type { Models } from "../../client/typed-paths.ts";
import type { Delivery, DeliveryStore, Sender } from "../../ingress/delivery.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { Cursors } from "../http/cursor.ts";
import { webhooksOf } from "./webhooks.ts";

export interface DeliveryDeps {
  deliveries: DeliveryStore;
  runs: Pick<RunStore, "listIdsByDelivery" | "listDispositions" | "find">;
  factories: Factories;
  cursors: Cursors;
}

/** A delivery with the names of where it came to, as its factory has them now. */
export function deliveryView(delivery: Delivery, runIds: string[], factory: Factory): Models["Delivery"] {
  const webhook = webhooksOf(factory).find(({ uid }) => uid === delivery.webhookUid);
  return {
    delivery_id: delivery.id,
    factory: factory.record.name,
    webhook_uid: delivery.webhookUid,
    webhook: webhook?.name ?? null,
    webhook_deleted: webhook?.deleted ?? false,
    outcome: delivery.outcome,
    size: delivery.size,
    time: delivery.time,
    identity: delivery.identity,
    reason: delivery.reason,
    body_differs: delivery.bodyDiffers,
    duplicate_of: delivery.duplicateOf,
    redelivery_of: delivery.redeliveryOf,
    ...(delivery.event === null ? {} : { event: delivery.event }),
    sender: delivery.sender && senderView(delivery.sender),
    proved_by: delivery.provedBy,
    run_ids: runIds,
  };
}

function senderView({ address, contentType, userAgent, headers }: Sender) {
  return { address, content_type: contentType, user_agent: userAgent, headers };
}

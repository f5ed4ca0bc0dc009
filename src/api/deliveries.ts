import { MillraceError } from "../error.ts";
import { type Delivery, type DeliveryStore, whyNoPayload } from "../ingress/delivery.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { RunStore } from "../runs/run.ts";
import type { Cursors } from "./cursor.ts";
import type { ApiRequest, Endpoints } from "./endpoint.ts";
import { findFactory } from "./factories.ts";
import { cutPage } from "./page.ts";
import { findWebhook } from "./webhooks.ts";

export interface DeliveryParts {
  deliveries: DeliveryStore;
  runs: Pick<RunStore, "listIdsByDelivery">;
  factories: Factories;
  cursors: Cursors;
}

export function deliveryEndpoints(parts: DeliveryParts): Endpoints {
  const { deliveries, runs, factories, cursors } = parts;
  return {
    listDeliveries: {
      role: "viewer",
      async handle(request) {
        const webhook = findWebhook(request, findFactory(request, factories));
        const { limit, cursor } = request.query;
        const scope = { webhook: webhook.uid };
        const [before] = cursor ? cursors.decode(scope, cursor, 1) : [];
        const found = await deliveries.listByWebhook(webhook.uid, {
          limit: limit + 1,
          ...(before ? { before } : {}),
        });
        const { items, pageInfo } = cutPage(found, limit, (last) => cursors.encode(scope, [last.id]));
        const runIds = await runs.listIdsByDelivery(items.map(({ id }) => id));
        return {
          json: {
            deliveries: items.map((delivery) => deliveryView(delivery, runIds[delivery.id] ?? [])),
            page_info: pageInfo,
          },
        };
      },
    },
    getDelivery: {
      role: "viewer",
      async handle(request) {
        const delivery = await findDelivery(request, parts);
        const runIds = await runs.listIdsByDelivery([delivery.id]);
        const view = deliveryView(delivery, runIds[delivery.id] ?? []);
        const accepted = delivery.outcome === "Accepted";
        const payload = accepted ? await deliveries.findPayload(delivery.id) : undefined;
        return payload ? { jsonText: withPayload(view, payload) } : { json: view };
      },
    },
    getPayload: {
      role: "viewer",
      async handle(request) {
        const delivery = await findDelivery(request, parts);
        const payload = await deliveries.findPayload(delivery.id);
        if (payload) return { bytes: payload, mediaType: "application/json" };
        throw new MillraceError(
          "resource_not_found",
          `Nothing is stored of what the delivery ${delivery.id} carried: ${whyNoPayload(delivery)}.`,
        );
      },
    },
  };
}

/**
 * A delivery with its payload, which is JSON already and goes in as the text that it is: parsing it and writing it
 * again would change its numbers, and overflow the stack where it nests deeply.
 */
function withPayload(view: object, payload: Uint8Array): string {
  return `${JSON.stringify(view).slice(0, -1)},"payload":${Buffer.from(payload).toString("utf8")}}`;
}

/** The delivery that the path names, or another of the same factory. @throws MillraceError `resource_not_found` */
export async function findDelivery(
  request: ApiRequest,
  { deliveries, factories }: Pick<DeliveryParts, "deliveries" | "factories">,
  id = request.path.delivery_id ?? "",
): Promise<Delivery> {
  const { record } = findFactory(request, factories);
  const delivery = await deliveries.find(id);
  if (delivery?.factoryUid === record.uid) return delivery;
  throw new MillraceError("resource_not_found", `The factory "${record.name}" has no delivery "${id}".`, {
    remedy: "`millrace deliveries list` shows the recent ones.",
  });
}

export function deliveryView(delivery: Delivery, runIds: readonly string[]) {
  return {
    delivery_id: delivery.id,
    webhook_uid: delivery.webhookUid,
    outcome: delivery.outcome,
    size: delivery.size,
    time: delivery.time,
    identity: delivery.identity,
    reason: delivery.reason,
    body_differs: delivery.bodyDiffers,
    duplicate_of: delivery.duplicateOf,
    redelivery_of: delivery.redeliveryOf,
    ...(delivery.event === null ? {} : { event: delivery.event }),
    run_ids: runIds,
  };
}

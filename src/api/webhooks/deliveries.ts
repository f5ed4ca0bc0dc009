import type { Models } from "../../client/typed-paths.ts";
import { MillraceError } from "../../errors/error.ts";
import { type Delivery, type DeliveryStore, whyNoPayload } from "../../ingress/delivery.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { RunStore } from "../../runs/run.ts";
import { type FactoryRequest, findFactory } from "../factories/factories.ts";
import type { Cursors } from "../http/cursor.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { cutPage } from "../http/page.ts";
import { findWebhook } from "./webhooks.ts";

export interface DeliveryDeps {
  deliveries: DeliveryStore;
  runs: Pick<RunStore, "listIdsByDelivery">;
  factories: Factories;
  cursors: Cursors;
}

export function deliveryEndpoints(deps: DeliveryDeps) {
  const { deliveries, runs, factories, cursors } = deps;
  return {
    listDeliveries: {
      async handle(request) {
        const factory = findFactory(request, factories);
        const webhook = findWebhook(request, factory);
        const { limit, cursor } = request.query;
        const scope = { webhook: webhook.uid };
        const [before] = cursor ? cursors.decode(scope, cursor, 1) : [];
        const logged = { factoryUid: factory.record.uid, uid: webhook.uid };
        const page = { limit: limit + 1, ...(before ? { before } : {}) };
        const found = await deliveries.listByWebhook(logged, page);
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
      async handle(request) {
        const delivery = await findDelivery(request, deps);
        const runIds = await runs.listIdsByDelivery([delivery.id]);
        const view = deliveryView(delivery, runIds[delivery.id] ?? []);
        const accepted = delivery.outcome === "Accepted";
        const payload = accepted ? await deliveries.findPayload(delivery.id) : undefined;
        return payload ? { jsonText: withPayload(view, payload) } : { json: view };
      },
    },
    getPayload: {
      async handle(request) {
        const delivery = await findDelivery(request, deps);
        const payload = await deliveries.findPayload(delivery.id);
        if (payload) return { bytes: payload, mediaType: "application/json" };
        throw new MillraceError(
          "resource_not_found",
          `The delivery ${delivery.id} has no stored payload: ${whyNoPayload(delivery)}.`,
        );
      },
    },
  } satisfies Endpoints;
}

/**
 * A delivery with its payload, which is JSON already and goes in as the text that it is: parsing it and writing it
 * again would change its numbers, and overflow the stack where it nests deeply.
 */
function withPayload(view: object, payload: Uint8Array): string {
  return `${JSON.stringify(view).slice(0, -1)},"payload":${Buffer.from(payload).toString("utf8")}}`;
}

/** The delivery that the path names. @throws MillraceError `resource_not_found` */
export function findDelivery(
  request: FactoryRequest & { path: { delivery_id: string } },
  deps: Pick<DeliveryDeps, "deliveries" | "factories">,
): Promise<Delivery> {
  return deliveryOf(request, request.path.delivery_id, deps);
}

/** A delivery to the factory that the path names. @throws MillraceError `resource_not_found` */
export async function deliveryOf(
  request: FactoryRequest,
  id: string,
  { deliveries, factories }: Pick<DeliveryDeps, "deliveries" | "factories">,
): Promise<Delivery> {
  const { record } = findFactory(request, factories);
  const delivery = await deliveries.find(id);
  if (delivery?.factoryUid === record.uid) return delivery;
  throw new MillraceError("resource_not_found", `The factory "${record.name}" has no delivery "${id}".`, {
    remedy: "`millrace deliveries list` shows recent deliveries.",
  });
}

export function deliveryView(delivery: Delivery, runIds: string[]): Models["Delivery"] {
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

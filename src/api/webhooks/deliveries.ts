import { MillraceError } from "../../errors/error.ts";
import { type Delivery, whyNoPayload } from "../../ingress/delivery.ts";
import { type FactoryRequest, findFactory } from "../factories/factories.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { deliveryListEndpoints } from "./delivery-lists.ts";
import { type DeliveryDeps, deliveryView } from "./delivery-view.ts";

export function deliveryEndpoints(deps: DeliveryDeps) {
  const { deliveries, runs, factories } = deps;
  return {
    ...deliveryListEndpoints(deps),
    getDelivery: {
      async handle(request) {
        const delivery = await findDelivery(request, deps);
        const runIds = await runs.listIdsByDelivery([delivery.id]);
        const view = deliveryView(delivery, runIds[delivery.id] ?? [], findFactory(request, factories));
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

import { useQueries } from "@tanstack/react-query";
import type { Models } from "../../api/client.ts";
import { payloadQuery } from "../../api/queries.ts";
import { deliveryText, fieldsOf } from "./delivery-text.ts";

/** Payloads beyond these are not loaded only to name them. */
const MAX_LOADED = 20;
const MAX_LOADED_BYTES = 65_536;

/** Stored deliveries as choices: when each one came, its event, and what it has in the fields that a filter names. */
export function useDeliveryOptions(
  factory: string,
  deliveries: readonly Models["Delivery"][],
  pattern: unknown,
): { value: string; label: string }[] {
  const fields = fieldsOf(pattern);
  const loaded = deliveries
    .filter(({ size }) => fields.length > 0 && size <= MAX_LOADED_BYTES)
    .slice(0, MAX_LOADED);
  const payloads = useQueries({
    queries: loaded.map(({ delivery_id }) => payloadQuery(factory, delivery_id)),
  });
  return deliveries.map((delivery) => {
    const text = payloads[loaded.indexOf(delivery)]?.data;
    return { value: delivery.delivery_id, label: deliveryText(delivery, text, fields) };
  });
}

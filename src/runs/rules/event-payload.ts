/** The name under which a run finds the body of the delivery that started it. */
export const EVENT_PAYLOAD = "event-payload.json";

/** The folder with the bodies of all deliveries of a run that has several. */
export const EVENT_PAYLOADS = "event-payloads";

/** The name of one of them, by its place from 1: they are listed in the order in which they came. */
export function joinedPayloadName(position: number, deliveryId: string): string {
  return `${EVENT_PAYLOADS}/${String(position).padStart(6, "0")}-${deliveryId}.json`;
}

import type { Models } from "../../api/client.ts";
import { sizeText } from "../../parts/size-text.ts";
import { timeSince } from "../../parts/time-text.ts";

/** A stored delivery, as one of a few to choose from. */
export function deliveryOption({ delivery_id, time, size }: Models["Delivery"]) {
  return { value: delivery_id, label: `${timeSince(time)}, ${sizeText(size)}, ${delivery_id}` };
}

import type { Millrace } from "../../client/client.ts";
import { digitsOf, findByStart } from "../short-ids.ts";

/** The list begins with the newest delivery, whenever the one that is looked for came. */
const MAX_DELIVERIES = 10_000;

/**
 * The id of the delivery whose id begins like this, to one of the webhooks that a factory has or had, or that any has.
 * @throws MillraceError when none does or several do
 */
export function findDeliveryId(client: Millrace, factory: string | null, start: string): Promise<string> {
  return findByStart({
    what: ["delivery", "deliveries"],
    start,
    shownBy: "millrace deliveries list",
    limit: {
      most: MAX_DELIVERIES,
      message: `None of the newest ${MAX_DELIVERIES} deliveries has an ID that begins with ${start}.`,
      remedy: "Enter the full ID.",
    },
    async *candidates(digits) {
      for await (const { delivery_id, outcome, time } of client.deliveries.listAll({
        ...(factory === null ? {} : { factory }),
        limit: 500,
      })) {
        // Ids rise with time and the newest comes first: what follows is older than any that begins so.
        if (digitsOf(delivery_id) < digits) return;
        yield { id: delivery_id, about: `${time}  ${outcome}` };
      }
    },
  });
}

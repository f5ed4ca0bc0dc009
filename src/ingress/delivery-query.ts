import type { Delivery, DeliveryOutcome, LoggedWebhook } from "./delivery.ts";

/** What is asked of the delivery log. Different filters all have to fit. */
export interface DeliveryFilter {
  /** Only deliveries to these webhooks; without it, to all. */
  webhooks?: readonly LoggedWebhook[] | undefined;
  outcomes?: readonly DeliveryOutcome[] | undefined;
  /** Whether the delivery has runs. */
  started?: boolean | undefined;
  /** In milliseconds, inclusive. */
  since?: number | undefined;
  /** In milliseconds, exclusive. */
  until?: number | undefined;
}

export interface DeliveryQuery extends DeliveryFilter {
  limit: number;
  /** The id at which the page before ended: only older ones follow. */
  before?: string | undefined;
}

/**
 * Deliveries, newest first. A page examines a bounded part of the log, so it can have fewer than the limit, or none,
 * although more follow.
 */
export interface DeliveryPage {
  deliveries: Delivery[];
  /** Where the next page goes on; nothing on the last one. */
  next: string | null;
}

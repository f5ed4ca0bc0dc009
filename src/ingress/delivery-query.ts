import type { Delivery, DeliveryOutcome, LoggedWebhook } from "./delivery.ts";

/** What is asked of the delivery log. Different filters all have to fit. */
export interface DeliveryFilter {
  /** Only deliveries to these webhooks; without it, to all. */
  webhooks?: readonly LoggedWebhook[] | undefined;
  outcomes?: readonly DeliveryOutcome[] | undefined;
  /** Whether the delivery has runs. */
  started?: boolean | undefined;
  /** Whether a run of the delivery failed or ended with an error. */
  failed?: boolean | undefined;
  /** Words that the delivery has, all of them, in any order; a star ends the beginning of a word. */
  text?: string | undefined;
  /** What it tells of, as its provider calls it. */
  event?: string | undefined;
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
  /** Of a search: when the oldest delivery came that cannot be found yet; nothing when all can. */
  behindSince?: string | undefined;
  /** Of a search: from when on old deliveries can be found, while an earlier version's are being made findable. */
  searchedFrom?: string | undefined;
  /** Of a search: so many words begin as it asks that none of them were looked up. */
  isTooBroad?: true;
}

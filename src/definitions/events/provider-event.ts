import type { Beside, PayloadField } from "../filters/payload-field.ts";

/** A delivery of a webhook that feeds a provider's triggers. */
export interface ProviderDelivery extends Beside {
  /** What the provider's event header says, where it has one. */
  event: string | null;
  payload: unknown;
}

/** An event of the definition format, as its provider's deliveries tell of it. */
export interface ProviderEvent {
  happened(delivery: ProviderDelivery): boolean;
  /** The same in the provider's own words. */
  means: string;
  /** The filter keys that a payload of the event answers. */
  fields: Readonly<Record<string, PayloadField>>;
}

/** A provider whose webhooks feed triggers. */
export interface EventProvider {
  /** As a person writes it. */
  title: string;
  /** Where a delivery says what it tells of. */
  saidAt: string;
  /** What a delivery tells of, for a person. */
  describe(delivery: ProviderDelivery): string;
  /** What its events are about, as templates of titles; the first whose fields a payload has counts. */
  titles: readonly string[];
  events: Readonly<Record<string, ProviderEvent>>;
  /**
   * What happened, where the provider may send several deliveries with different events of it: the same for all of them. They start
   * one run of an automation that has triggers for several of these events.
   */
  happeningOf?(payload: unknown): string | undefined;
}

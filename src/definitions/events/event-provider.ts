import type { EventProviderName } from "../definition.ts";
import type { Beside, PayloadField } from "../filters/payload-field.ts";
import { FACTORY } from "./factory-events.ts";
import { GITHUB } from "./github-events.ts";
import { GITLAB } from "./gitlab-events.ts";
import { JIRA } from "./jira-events.ts";
import { LINEAR } from "./linear-events.ts";
import { SLACK } from "./slack-events.ts";

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

/** Every provider whose triggers signed webhooks feed. What the format has beyond these, nothing brings to this server. */
export const EVENT_PROVIDERS: Readonly<Record<EventProviderName, EventProvider>> = {
  github: GITHUB,
  gitlab: GITLAB,
  linear: LINEAR,
  jira: JIRA,
  slack: SLACK,
};

/** Whether webhooks can feed the triggers of a provider. */
export function isEventProvider(provider: string): provider is EventProviderName {
  return Object.hasOwn(EVENT_PROVIDERS, provider);
}

/** How the events of a provider are told: of one that webhooks feed, or of the factory itself; nothing of any other. */
export function describedProvider(provider: string): EventProvider | undefined {
  if (provider === "factory") return FACTORY;
  return isEventProvider(provider) ? EVENT_PROVIDERS[provider] : undefined;
}

/** An event that a trigger names; nothing when nothing on this server tells of it. */
export function findEvent(provider: string, event: string): ProviderEvent | undefined {
  const events = describedProvider(provider)?.events;
  return events && Object.hasOwn(events, event) ? events[event] : undefined;
}

import type { EventProviderName } from "../definition.ts";
import type { Beside, PayloadField } from "../filters/payload-field.ts";
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
  events: Readonly<Record<string, ProviderEvent>>;
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

/** An event that a trigger names; nothing when no delivery tells of it. */
export function findEvent(provider: string, event: string): ProviderEvent | undefined {
  if (!isEventProvider(provider)) return undefined;
  const { events } = EVENT_PROVIDERS[provider];
  return Object.hasOwn(events, event) ? events[event] : undefined;
}

import type { EventProviderName } from "../definition.ts";
import { FACTORY } from "./factory-events.ts";
import { GITHUB } from "./github-events.ts";
import { GITLAB } from "./gitlab-events.ts";
import { JIRA } from "./jira-events.ts";
import { LINEAR } from "./linear-events.ts";
import type { EventProvider, ProviderEvent } from "./provider-event.ts";
import { SLACK } from "./slack-events.ts";

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

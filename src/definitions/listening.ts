import type { EventProviderName, ProviderTrigger, Trigger, Webhook, WebhookTrigger } from "./definition.ts";
import { isEventProvider } from "./events/event-provider.ts";
import type { WrittenWebhook } from "./written.ts";

/** A webhook as triggers see it; one without a uid is new. */
export interface HeardWebhook {
  uid: string | undefined;
  name: string;
  /** The provider whose triggers it feeds. */
  provider: EventProviderName | undefined;
}

/** The provider whose triggers a webhook feeds: that of its signatures, or the one that a custom scheme names. */
export function providerOf({
  authMode,
  signatureScheme = "",
  provider,
}: Partial<Pick<Webhook, "authMode" | "signatureScheme" | "provider">>): EventProviderName | undefined {
  if (authMode !== "signature") return undefined;
  if (signatureScheme === "custom") return provider;
  return isEventProvider(signatureScheme) ? signatureScheme : undefined;
}

/** The same of a webhook as written. */
export function writtenProviderOf({ millrace, ...data }: WrittenWebhook): EventProviderName | undefined {
  return providerOf({ ...data, ...(millrace?.provider ? { provider: millrace.provider } : {}) });
}

/** A webhook with what triggers look at. */
export function heardWebhook(uid: string | undefined, webhook: Webhook): HeardWebhook {
  return { uid, name: webhook.name, provider: providerOf(webhook) };
}

/** Whether deliveries to a webhook are held against a trigger. */
export function listensAt(trigger: Trigger, webhook: HeardWebhook): boolean {
  if (trigger.provider === "webhook") return selects(trigger, webhook);
  return webhook.provider !== undefined && trigger.provider === webhook.provider;
}

/** Whether the provider of a trigger is one whose webhooks feed it. */
export function isEventTrigger(
  trigger: Trigger,
): trigger is ProviderTrigger & { provider: EventProviderName } {
  return isEventProvider(trigger.provider);
}

/** Whether a trigger names a webhook, by its uid or by its file. */
function selects({ webhookIds, webhookNames }: WebhookTrigger, { uid, name }: HeardWebhook): boolean {
  return webhookNames.includes(name) || (uid !== undefined && webhookIds.includes(uid));
}

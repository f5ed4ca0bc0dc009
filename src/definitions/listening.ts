import type { Trigger, Webhook, WebhookTrigger } from "./definition.ts";

/** A webhook as triggers see it; one without a uid is new. */
export interface HeardWebhook {
  uid: string | undefined;
  name: string;
  isGithub: boolean;
}

/** Whether a webhook feeds the triggers of the provider github. */
export function isGithubWebhook({
  authMode,
  signatureScheme,
}: {
  authMode?: string;
  signatureScheme?: string;
}): boolean {
  return authMode === "signature" && signatureScheme === "github";
}

/** A webhook with what triggers look at. */
export function heardWebhook(uid: string | undefined, webhook: Webhook): HeardWebhook {
  return { uid, name: webhook.name, isGithub: isGithubWebhook(webhook) };
}

/** Whether deliveries to a webhook are held against a trigger. */
export function listensAt(trigger: Trigger, webhook: HeardWebhook): boolean {
  if (trigger.provider === "webhook") return selects(trigger, webhook);
  return trigger.provider === "github" && webhook.isGithub;
}

/** Whether a trigger names a webhook, by its uid or by its file. */
function selects({ webhookIds, webhookNames }: WebhookTrigger, { uid, name }: HeardWebhook): boolean {
  return webhookNames.includes(name) || (uid !== undefined && webhookIds.includes(uid));
}

import type { Webhook } from "../definitions/definition.ts";
import type { Sealer } from "../secrets/seal.ts";
import { webhookSecret } from "../secrets/webhook-secret.ts";
import { type ActiveDefinition, type ActiveWebhook, credentialContext } from "./active-definition.ts";
import type { WebhookCredential } from "./factory.ts";

/** What credentials are made of. */
export interface CredentialDeps {
  /** The values of secrets, by name. */
  secrets: ReadonlyMap<string, string>;
  /** What is in force so far. */
  active: Pick<ActiveDefinition, "webhooks"> | undefined;
  /** Until when the values that are replaced now are still accepted; they stop working at once without. */
  overlapUntil: string | undefined;
  sealer: Sealer;
}

/** Seals the credential of a webhook for its own uid; nothing where its secret has no value. */
export function sealCredential(
  webhook: Webhook,
  uid: string,
  { secrets, active, overlapUntil, sealer }: CredentialDeps,
): WebhookCredential | undefined {
  const value = secrets.get(webhook.secretName);
  if (value === undefined) return undefined;
  const before = active?.webhooks.find((each) => each.uid === uid);
  const current = webhookSecret(value);
  const previous = webhook.previous
    ? namedPrevious(webhook.previous, secrets)
    : rotatedPrevious(current, before, overlapUntil);
  const seal = (secret: string) => sealer.seal(secret, credentialContext(uid));
  return {
    webhookUid: uid,
    secretName: webhook.secretName,
    sealed: seal(current),
    ...(previous && { previous: { sealed: seal(previous.secret), until: previous.until } }),
  };
}

/** The previous secret that the file of a webhook names. */
function namedPrevious(
  { secretName, until }: NonNullable<Webhook["previous"]>,
  secrets: ReadonlyMap<string, string>,
): ActiveWebhook["previous"] {
  const value = secrets.get(secretName);
  return value === undefined ? undefined : { secret: webhookSecret(value), until };
}

/**
 * The previous secret of a rotation. Whatever else is applied meanwhile leaves it as it is; a rotation without an overlap ends
 * it, and so does a file that names one no more.
 */
function rotatedPrevious(
  current: string,
  before: ActiveWebhook | undefined,
  overlapUntil: string | undefined,
): ActiveWebhook["previous"] {
  if (before?.credential === undefined) return undefined;
  if (before.credential === current) return before.webhook.previous ? undefined : before.previous;
  return overlapUntil === undefined ? undefined : { secret: before.credential, until: overlapUntil };
}

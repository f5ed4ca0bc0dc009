import { isDeepStrictEqual } from "node:util";
import type { Webhook } from "../definitions/definition.ts";
import type { Sealer } from "../secrets/seal.ts";
import { webhookSecret } from "../secrets/webhook-secret.ts";
import { type ActiveDefinition, type ActiveWebhook, credentialContext } from "./active-definition.ts";
import type { WebhookCredential } from "./factory.ts";

/** A secret that is being given another value. */
export interface SecretRotation {
  name: string;
  /** Until when the value that it had is still accepted; it stops working at once without. */
  overlapUntil: string | undefined;
}

/** What credentials are made of. */
export interface CredentialDeps {
  /** The values of secrets, by name. */
  secrets: ReadonlyMap<string, string>;
  /** What is in force so far. */
  active: Pick<ActiveDefinition, "webhooks"> | undefined;
  /** What is rotated with it. Values that are new without are set by somebody else, and replace the old ones at once. */
  rotation: SecretRotation | undefined;
  sealer: Sealer;
  now: Date;
}

type Previous = NonNullable<ActiveWebhook["previous"]>;

/** Seals the credential of a webhook for its own uid; nothing where its secret has no value. */
export function sealCredential(
  webhook: Webhook,
  uid: string,
  deps: CredentialDeps,
): WebhookCredential | undefined {
  const value = deps.secrets.get(webhook.secretName);
  if (value === undefined) return undefined;
  const current = webhookSecret(value);
  const before = deps.active?.webhooks.find((each) => each.uid === uid);
  const previous = webhook.previous
    ? namedPrevious(webhook.previous, before, deps)
    : rotatedPrevious(webhook, current, before, deps);
  const seal = (secret: string) => deps.sealer.seal(secret, credentialContext(uid));
  return {
    webhookUid: uid,
    secretName: webhook.secretName,
    sealed: seal(current),
    ...(isAhead(previous, deps.now) && { previous: { ...dated(previous), sealed: seal(previous.secret) } }),
  };
}

const dated = ({ since, until }: Previous) => ({ since, until });

/** What has ended is not kept: a clock that is set back must not bring it back. */
function isAhead(previous: Previous | undefined, now: Date): previous is Previous {
  return previous !== undefined && Date.parse(previous.until) > now.getTime();
}

/** The previous secret that the file of a webhook names. */
function namedPrevious(
  { secretName, until }: NonNullable<Webhook["previous"]>,
  before: ActiveWebhook | undefined,
  { secrets, now }: CredentialDeps,
): Previous | undefined {
  const value = secrets.get(secretName);
  if (value === undefined) return undefined;
  const secret = webhookSecret(value);
  const known = before?.previous?.secret === secret ? before.previous.since : undefined;
  return { secret, until, since: known ?? now.toISOString() };
}

/**
 * The previous secret of a rotation. Whatever else is applied meanwhile leaves it as it is; a rotation without an overlap ends
 * it, and so does a file that names one no more, or that has senders authenticate in another way.
 */
function rotatedPrevious(
  webhook: Webhook,
  current: string,
  before: ActiveWebhook | undefined,
  { rotation, now }: CredentialDeps,
): Previous | undefined {
  if (before?.credential === undefined || !provesAlike(webhook, before.webhook)) return undefined;
  const isSame = before.credential === current;
  const kept = isSame && !before.webhook.previous ? before.previous : undefined;
  if (rotation?.name !== webhook.secretName) return kept;
  if (rotation.overlapUntil === undefined) return undefined;
  return isSame
    ? kept
    : { secret: before.credential, until: rotation.overlapUntil, since: now.toISOString() };
}

/** Whether senders authenticate in the same way: a signing secret is no bearer token. */
function provesAlike(one: Webhook, other: Webhook): boolean {
  const way = ({ authMode, signatureScheme, customScheme }: Webhook) => [
    authMode,
    signatureScheme,
    customScheme,
  ];
  return isDeepStrictEqual(way(one), way(other));
}

/** Whether a webhook accepts a secret, as the current or as the previous one. */
export function goesBy({ secretName, previous }: Webhook, secret: string): boolean {
  return secretName === secret || previous?.secretName === secret;
}

/** The values that webhooks were applied with, by the secrets that they came from: of one that is both, the current value. */
export function takenCredentials(
  active: Pick<ActiveDefinition, "webhooks"> | undefined,
): Map<string, string> {
  const webhooks = active?.webhooks ?? [];
  const previous = webhooks.flatMap(({ webhook, previous: taken }): [string, string][] =>
    webhook.previous && taken ? [[webhook.previous.secretName, taken.secret]] : [],
  );
  const current = webhooks.flatMap(({ webhook, credential }): [string, string][] =>
    credential === undefined ? [] : [[webhook.secretName, credential]],
  );
  return new Map([...previous, ...current]);
}

import type { Webhook } from "../../definitions/definition.ts";
import { MillraceError } from "../../error.ts";
import { generateSecret } from "../../secrets/generate.ts";
import { checkWebhookSecret } from "../../secrets/webhook-secret.ts";
import type { Editable, Edits } from "../edit.ts";
import type { Factory } from "../factories.ts";
import { findServed } from "./change-webhook.ts";
import { refuseGivenSecret, refuseUnusable } from "./webhook-secret.ts";

/** A new value for the secret of a webhook. */
export interface Rotation {
  edits: Edits;
  /** The value, when it was made here. */
  generated: string | undefined;
  /** Names of the other webhooks of the factory that have the same secret. */
  alsoRotated: string[];
}

/**
 * Gives the secret of a webhook another value, the first one where it has none yet. All webhooks of the factory that share
 * the secret take the value with it.
 * @param elsewhere the factories that millrace keeps, whose webhooks take it afterwards
 */
export function rotateSecret(
  uid: string,
  given: string | undefined,
  current: Editable,
  elsewhere: readonly Pick<Factory, "record" | "served">[],
): Rotation {
  const { webhook, credential } = findServed(uid, current);
  refuseGivenSecret(webhook, given);
  const secret = given === undefined ? undefined : checkWebhookSecret("secret", given);
  const generated = secret === undefined ? generateSecret(webhook) : undefined;
  const value = secret ?? generated;
  if (value === undefined) throw secretNeeded(webhook);
  const others = current.served.webhooks
    .map((other) => other.webhook)
    .filter(({ name, secretName }) => name !== webhook.name && secretName === webhook.secretName);
  refuseUnusable(webhook, value);
  for (const other of others) refuseUnusable(other, value, `of the webhook "${other.name}", which shares it`);
  for (const { record, served } of elsewhere.filter((other) => other.record.uid !== current.factory.uid))
    for (const { webhook: other } of served?.webhooks ?? [])
      if (other.secretName === webhook.secretName)
        refuseUnusable(other, value, `of the webhook "${other.name}" of "${record.name}", which shares it`);
  const isFirst = credential === undefined;
  return {
    generated,
    alsoRotated: others.map(({ name }) => name),
    edits: {
      message: isFirst
        ? `Give the webhook ${webhook.name} its secret`
        : `Rotate the secret of the webhook ${webhook.name}`,
      files: [],
      secrets: [{ name: webhook.secretName, value, isNew: false }],
    },
  };
}

function secretNeeded({ name, signatureScheme }: Webhook): MillraceError {
  return new MillraceError(
    "invalid_request",
    `secret: ${signatureScheme} issues its signing secrets itself.`,
    {
      remedy: `Copy the signing secret from the provider, and send it as secret, or with \`millrace webhooks rotate-secret ${name} --secret-file FILE\`.`,
      extra: { field: "secret" },
    },
  );
}

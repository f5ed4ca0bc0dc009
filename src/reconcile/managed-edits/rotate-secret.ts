import type { Webhook } from "../../definitions/definition.ts";
import { generateSecret } from "../../definitions/generate-secret.ts";
import { MillraceError } from "../../errors/error.ts";
import { checkWebhookSecret } from "../../secrets/webhook-secret.ts";
import { previousInFile } from "../end-overlap.ts";
import type { Factory } from "../running-factory.ts";
import { findActiveWebhook } from "./change-webhook.ts";
import type { Editable, Edits } from "./edit.ts";
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
 * the secret take the value with it, and accept the one before as long as that is asked for.
 * @param elsewhere the factories that millrace keeps, whose webhooks take it afterwards
 */
export function rotateSecret(
  uid: string,
  { given, overlapUntil }: { given: string | undefined; overlapUntil: string | undefined },
  current: Editable,
  elsewhere: readonly Pick<Factory, "record" | "active">[],
): Rotation {
  const { webhook, credential } = findActiveWebhook(uid, current);
  if (webhook.previous) throw previousInFile(webhook.path, "rotated");
  refuseGivenSecret(webhook, given);
  const secret = given === undefined ? undefined : checkWebhookSecret("secret", given);
  const generated = secret === undefined ? generateSecret(webhook) : undefined;
  const value = secret ?? generated;
  if (value === undefined) throw secretNeeded(webhook);
  const others = current.active.webhooks
    .map((other) => other.webhook)
    .filter(({ name, secretName }) => name !== webhook.name && secretName === webhook.secretName);
  refuseUnusable(webhook, value);
  for (const other of others)
    refuseUnusable(other, value, `of the webhook "${other.name}", which shares the secret`);
  for (const { record, active } of elsewhere.filter((other) => other.record.uid !== current.factory.uid))
    for (const { webhook: other } of active?.webhooks ?? [])
      if (other.secretName === webhook.secretName)
        refuseUnusable(
          other,
          value,
          `of the webhook "${other.name}" of "${record.name}", which shares the secret`,
        );
  const isFirst = credential === undefined;
  return {
    generated,
    alsoRotated: others.map(({ name }) => name),
    edits: {
      message: isFirst
        ? `Set the secret of the webhook ${webhook.name}`
        : `Rotate the secret of the webhook ${webhook.name}`,
      files: [],
      secrets: [{ name: webhook.secretName, value, isNew: false }],
      rotation: { name: webhook.secretName, overlapUntil },
    },
  };
}

function secretNeeded({ name, signatureScheme }: Webhook): MillraceError {
  return new MillraceError(
    "invalid_request",
    `secret: required, because ${signatureScheme} issues its own signing secrets.`,
    {
      remedy: `Copy the signing secret from the provider, and send it as secret, or with \`millrace webhooks rotate-secret ${name} --secret-file FILE\`.`,
      extra: { field: "secret" },
    },
  );
}

import { generateSecret, suggestSecretName } from "../../definitions/generate-secret.ts";
import { classifyPath } from "../../definitions/loading/tree-path.ts";
import { webhookText } from "../../definitions/webhook-text.ts";
import type { WrittenWebhook } from "../../definitions/written.ts";
import { MillraceError } from "../../errors/error.ts";
import { includesFactory } from "../../secrets/rules/scope.ts";
import type { Vault } from "../../secrets/vault.ts";
import { checkWebhookSecret } from "../../secrets/webhook-secret.ts";
import type { Editable, Edits } from "./edit.ts";
import { checkDefinitionPath, newEntry, placesIn } from "./new-path.ts";
import { refuseGivenSecret, refuseUnusable } from "./webhook-secret.ts";

/** A webhook that somebody wants. */
export interface NewWebhook extends Omit<WrittenWebhook, "secretName"> {
  name: string;
  /** The provider's signing secret. */
  secret?: string;
  /** The team secret that holds the credential; a name is made up without it. */
  secretName?: string;
}

export interface CreateDeps {
  vault: Pick<Vault, "list">;
  /** Names of the secrets that definitions of this server mention, also of those that are still to come. */
  mentionedSecrets(): readonly string[];
}

/** Adds the file of a webhook. @returns what to write, and the secret when it was made here */
export async function createWebhook(
  asked: NewWebhook,
  { tree, factory }: Editable,
  { vault, mentionedSecrets }: CreateDeps,
): Promise<{ edits: Edits; generated: string | undefined }> {
  const { name, secret: given, secretName, authMode = "token", ...rest } = asked;
  refuseGivenSecret({ authMode }, given);
  const secret = given === undefined ? undefined : checkWebhookSecret("secret", given);
  const path = pathOfWebhook(name);
  const places = placesIn(tree);
  if (places.find(path)) throw webhookTaken(name);
  places.put(newEntry(path));
  const existing = await vault.list();
  const taken = new Set([...existing.map((each) => each.name), ...mentionedSecrets()]);
  const chosen = secretName ?? suggestSecretName(name, taken);
  const isShared = existing.some((each) => each.name === chosen && includesFactory(each, factory.uid));
  if (isShared && secret !== undefined) throw secretTaken(chosen);
  if (secret !== undefined) refuseUnusable(signedAs({ ...asked, authMode }), secret);
  const generated = isShared || secret !== undefined ? undefined : generateSecret({ ...rest, authMode });
  const value = secret ?? generated;
  const written = { authMode, ...rest, secretName: chosen };
  return {
    generated,
    edits: {
      message: `Add the webhook ${name}`,
      files: [{ path, content: Buffer.from(webhookText(written)) }],
      secrets: value === undefined ? [] : [{ name: chosen, value, isNew: true }],
    },
  };
}

function pathOfWebhook(name: string): string {
  const path = `webhooks/${name}.yaml`;
  const place = classifyPath(path);
  if (place.kind === "webhook" && place.name === name) {
    checkDefinitionPath(path);
    return path;
  }
  throw new MillraceError(
    "invalid_request",
    `name: ${JSON.stringify(name.slice(0, 200))} is not a valid webhook name.`,
    {
      remedy:
        "Use at most 128 characters that are valid in a file name, without / and not starting with a dot.",
      extra: { field: "name" },
    },
  );
}

function signedAs({ name, authMode = "token", signatureScheme, millrace }: NewWebhook) {
  return {
    name,
    authMode,
    ...(signatureScheme === undefined ? {} : { signatureScheme }),
    ...(millrace?.scheme ? { customScheme: millrace.scheme } : {}),
  };
}

function webhookTaken(name: string): MillraceError {
  return new MillraceError("conflict", `A webhook named "${name}" already exists.`, {
    remedy:
      "Choose another name. If the webhook is yours and its secret was lost with the response, rotate the secret.",
    retryable: false,
    extra: { field: "name" },
  });
}

function secretTaken(name: string): MillraceError {
  return new MillraceError("conflict", `A secret named "${name}" already exists with a different value.`, {
    remedy: "Omit secret to use the existing secret, or specify a different secret_name.",
    retryable: false,
    extra: { field: "secret_name" },
  });
}

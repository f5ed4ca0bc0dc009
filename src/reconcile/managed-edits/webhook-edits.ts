import { randomBytes } from "node:crypto";
import type { Webhook } from "../../definitions/definition.ts";
import { classifyPath } from "../../definitions/loading/tree-path.ts";
import { FILE_START, type Problem } from "../../definitions/problem.ts";
import { chooseMethod } from "../../definitions/schemes/scheme.ts";
import { schemeOf } from "../../definitions/schemes/schemes.ts";
import { webhookText, withWebhookFields } from "../../definitions/webhook-text.ts";
import type { WrittenWebhook } from "../../definitions/written.ts";
import { MillraceError } from "../../errors/error.ts";
import { includesFactory } from "../../secrets/rules/scope.ts";
import type { Vault } from "../../secrets/vault.ts";
import { checkWebhookSecret, isUrlSafe } from "../../secrets/webhook-secret.ts";
import type { ActiveWebhook } from "../active-definition.ts";
import { previousInFile } from "../credential-changes.ts";
import type { Factory } from "../running-factory.ts";
import { findEntry, type Precondition, resourceTag } from "./change-file.ts";
import type { Editable, Edits } from "./edit.ts";
import { checkDefinitionPath, newEntry, placesIn } from "./new-path.ts";

/** What of a webhook can be changed; null takes the header away. */
export interface WebhookChange {
  enabled?: boolean;
  deliveryIdHeader?: string | null;
}

/** Changes fields in the file of a webhook, where they are others. */
export async function changeWebhook(
  uid: string,
  change: WebhookChange,
  check: Precondition,
  current: Editable,
): Promise<Edits | undefined> {
  const { webhook } = findLive(uid, check, current);
  const { enabled, deliveryIdHeader } = change;
  const fields = {
    ...(enabled === undefined || enabled === webhook.enabled ? {} : { enabled }),
    ...(deliveryIdHeader === undefined || deliveryIdHeader === (webhook.deliveryIdHeader ?? null)
      ? {}
      : { deliveryIdHeader }),
  };
  if (Object.keys(fields).length === 0) return undefined;
  const text = await textOf(webhook.path, current);
  return {
    message: `${verbOf(fields)} the webhook ${webhook.name}`,
    files: [{ path: webhook.path, content: Buffer.from(withWebhookFields(text, fields)) }],
  };
}

function verbOf({ enabled, deliveryIdHeader }: WebhookChange): string {
  if (enabled === undefined || deliveryIdHeader !== undefined) return "Change";
  return enabled ? "Enable" : "Disable";
}

/**
 * Takes the file of a webhook away. Automations that select it stay as they are, and do not fire for it: by its name or its
 * uid, they find it again when a webhook of that name returns.
 */
export function deleteWebhook(uid: string, check: Precondition, current: Editable): Edits {
  const { webhook } = findLive(uid, check, current);
  return {
    message: `Delete the webhook ${webhook.name}`,
    files: [{ path: webhook.path, content: null }],
  };
}

function findLive(uid: string, check: Precondition, { active, factory }: Editable): ActiveWebhook {
  const found = findActiveWebhook(uid, { active, factory });
  const resource = active.resources.find((each) => each.kind === "webhook" && each.uid === uid);
  check(resource && resourceTag(resource));
  return found;
}

/** A webhook that is in force. @throws MillraceError `resource_not_found` */
export function findActiveWebhook(
  uid: string,
  { active, factory }: Pick<Editable, "active" | "factory">,
): ActiveWebhook {
  const found = active.webhooks.find((webhook) => webhook.uid === uid);
  if (found) return found;
  throw new MillraceError(
    "resource_not_found",
    `The factory "${factory.name}" no longer has a webhook with the UID "${uid}".`,
    { remedy: "`millrace webhooks list` shows its webhooks." },
  );
}

async function textOf(path: string, { tree }: Editable): Promise<string> {
  const entry = findEntry(tree, path);
  const bytes = entry && (await tree.read([entry])).get(entry.id);
  if (bytes) return bytes.toString("utf8").replace(/^\ufeff/, "");
  throw new Error(`${path} is applied but missing from the definition's files`);
}

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

type Signed = Pick<Webhook, "name" | "authMode" | "signatureScheme" | "customScheme"> &
  Partial<Pick<Webhook, "path">>;

/** @throws MillraceError `invalid_request` when whoever asks gives a secret that is the service's to make */
function refuseGivenSecret({ authMode }: Pick<Webhook, "authMode">, secret: string | undefined): void {
  if (secret === undefined || authMode === "signature") return;
  throw new MillraceError(
    "invalid_request",
    `secret: millrace generates the secrets of ${authMode} webhooks.`,
    {
      remedy: "Omit secret; to use an existing secret, specify its name as secret_name.",
      extra: { field: "secret" },
    },
  );
}

/** @throws MillraceError `invalid_request` for a secret with which every delivery would be refused */
function refuseUnusable(webhook: Signed, secret: string, whose?: string): void {
  if (webhook.authMode === "url_token" && !isUrlSafe(secret)) {
    const why = `it cannot be used in the URL${whose === undefined ? "" : ` ${whose}`}`;
    throw new MillraceError("invalid_request", `secret: ${why}.`, {
      remedy: "Give that webhook its own secret, or use only letters, digits and - . _ ~.",
      extra: { field: "secret", ...problemsOf(webhook, why) },
    });
  }
  const scheme = webhook.authMode === "signature" ? schemeOf(webhook as Webhook) : undefined;
  const chosen = scheme && chooseMethod(scheme, secret);
  if (!chosen || !("unusable" in chosen)) return;
  const why = chosen.unusable + (whose === undefined ? "" : ` (${whose})`);
  throw new MillraceError("invalid_request", `secret: ${why}.`, {
    remedy: "Copy the signing secret from the provider unchanged.",
    extra: { field: "secret", ...problemsOf(webhook, why) },
  });
}

/** Of a webhook that is there: where it names the secret that does not suit it. */
function problemsOf({ name, path }: Signed, why: string): { problems?: Problem[] } {
  if (path === undefined) return {};
  const message = `the secret cannot be used for the webhook "${name}": ${why}`;
  return { problems: [{ code: "FF_SECRET_UNUSABLE", message, path, ...FILE_START, severity: "error" }] };
}

/** As many as HMAC-SHA256 has use for. */
const SECRET_BYTES = 32;

/**
 * A new secret for a webhook; nothing where only its provider can make one.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md has the form with `whsec_`.
 */
export function generateSecret({
  authMode = "token",
  signatureScheme = "",
}: Pick<WrittenWebhook, "authMode" | "signatureScheme">): string | undefined {
  const random = randomBytes(SECRET_BYTES);
  if (authMode !== "signature") return random.toString("base64url");
  if (signatureScheme === "standard_webhooks") return `whsec_${random.toString("base64")}`;
  // Of these digits a key is text as well as hexadecimal or base64, whichever a scheme takes it for.
  return CHOSEN_BY_RECEIVER.has(signatureScheme) ? random.toString("hex") : undefined;
}

/** Whoever sets up the sender types in what the receiver has chosen. */
const CHOSEN_BY_RECEIVER: ReadonlySet<string> = new Set(["github", "gitlab", "custom"]);

/** A name for the secret of a webhook that is not taken yet, made of the name of the webhook. */
export function suggestSecretName(webhook: string, taken: ReadonlySet<string>): string {
  const words = webhook
    .normalize("NFKD")
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  const stem = `${/^\d/.test(words) ? "_" : ""}${words}`;
  const name = [stem, /(^|_)WEBHOOK$/.test(stem) ? "" : "WEBHOOK", "SECRET"]
    .filter((part) => part !== "")
    .join("_");
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}_${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

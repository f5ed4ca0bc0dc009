import { type Command, Option } from "commander";
import type { Models } from "../../client/client.ts";
import { SCHEMES } from "../../definitions/schemes/schemes.ts";
import { MillraceError } from "../../errors/error.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { etagOf } from "../etag.ts";
import { withoutLineEnd } from "../input.ts";
import { print, printError, printJson } from "../output.ts";
import { present } from "../present.ts";
import { readSecretText } from "../secret-input.ts";
import { findWebhook } from "./find-webhook.ts";

interface SecretOptions extends ConnectOptions {
  secretFile?: string;
  idempotencyKey?: string;
}

interface RotateOptions extends SecretOptions {
  overlap?: string;
}

interface CreateOptions extends SecretOptions {
  authMode?: Models["Webhook"]["auth_mode"];
  signatureScheme?: string;
  secretName?: string;
  deliveryIdHeader?: string;
  disabled?: boolean;
}

const AUTH_MODES = ["token", "url_token", "signature"] as const;
const SECRET_FILE = "file with the provider's signing secret (- for standard input)";

const IDEMPOTENCY_KEY = [
  "--idempotency-key <key>",
  "idempotency key: for a minute, retries with the same key print the same secret",
] as const;

/** The commands that change webhooks, where millrace keeps the definition. */
export function addWebhookEdits(webhooks: Command): void {
  const about = (name: string, what: string) =>
    asClientCommand(webhooks.command(`${name} <name>`).description(what), { ofFactory: true });
  about("create", "add a webhook to a managed definition; its secret is printed once")
    .addOption(
      new Option("--auth-mode <mode>", "how senders authenticate (default: token)").choices(AUTH_MODES),
    )
    .addOption(
      new Option(
        "--signature-scheme <scheme>",
        "signature scheme of the provider, for --auth-mode signature",
      ).choices(Object.keys(SCHEMES)),
    )
    .option("--secret-file <file>", SECRET_FILE)
    .option("--secret-name <name>", "secret that stores the credential; an existing secret is used unchanged")
    .option("--delivery-id-header <header>", "header in which the sender sends its event ID")
    .option(...IDEMPOTENCY_KEY)
    .option("--disabled", "create the webhook disabled: senders get 404 until it is enabled")
    .action(create);
  about(
    "rotate-secret",
    "replace the secret of a webhook, or set its first one; without --overlap, the previous secret stops working immediately",
  )
    .option("--secret-file <file>", SECRET_FILE)
    .option(
      "--overlap <duration>",
      "how long the previous secret still works: for example 24h or 7d, at most 30d",
    )
    .option(...IDEMPOTENCY_KEY)
    .action(rotate);
  about(
    "end-overlap",
    "stop accepting the previous secret of a webhook, before the overlap of its rotation is over",
  ).action(endOverlap);
  about("enable", "enable a webhook: accept deliveries again").action((name, options) =>
    toggle(name, true, options),
  );
  about("disable", "disable a webhook: senders get 404 until it is enabled").action((name, options) =>
    toggle(name, false, options),
  );
  about(
    "delete",
    "delete a webhook: senders get 404 immediately, and automations that select it no longer trigger for it",
  ).action(remove);
}

async function create(name: string, options: CreateOptions): Promise<void> {
  const { authMode, signatureScheme, secretName, deliveryIdHeader, disabled, idempotencyKey } = options;
  if (authMode === "signature" && signatureScheme === undefined) {
    throw new MillraceError("invalid_request", "--auth-mode signature requires a signature scheme.", {
      remedy: `Specify one with --signature-scheme: ${Object.keys(SCHEMES).join(", ")}.`,
    });
  }
  const secret = await readSecret(options);
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const body: Models["NewWebhook"] = {
    name,
    // A scheme says that there are signatures.
    ...((authMode ?? signatureScheme) ? { auth_mode: authMode ?? "signature" } : {}),
    ...(signatureScheme === undefined ? {} : { signature_scheme: signatureScheme }),
    ...(secret === undefined ? {} : { secret }),
    ...(secretName === undefined ? {} : { secret_name: secretName }),
    ...(deliveryIdHeader === undefined ? {} : { delivery_id_header: deliveryIdHeader }),
    ...(disabled ? { enabled: false } : {}),
  };
  const made = await client.webhooks.create(factory, body, present({ idempotencyKey }));
  if (options.json) return printJson(made);
  print(made.url);
  if (made.secret !== undefined) print(made.secret);
  // A name that is suggested is that of no secret, so a disabled webhook lacks its secret as one that waits for it does.
  const lacksSecret = made.secret === undefined && secret === undefined && secretName === undefined;
  printError(nextStep(made, lacksSecret));
}

async function rotate(name: string, options: RotateOptions): Promise<void> {
  const secret = await readSecret(options);
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const { uid } = await findWebhook(client, factory, name);
  const once = present({ idempotencyKey: options.idempotencyKey });
  const rotated = await client.webhooks.rotateSecret(
    factory,
    uid,
    present({ secret, overlap: options.overlap }),
    once,
  );
  if (options.json) return printJson(rotated);
  print(rotated.url);
  if (rotated.secret !== undefined) print(rotated.secret);
  printError(nextStep(rotated));
  if (rotated.previous_secret)
    printError(`The previous secret still works until ${rotated.previous_secret.until}.`);
  const others = rotated.also_rotated.join(", ");
  if (others !== "") printError(`These webhooks share the secret and now use its new value: ${others}.`);
  for (const { factory, webhook, reason } of rotated.not_rotated)
    printError(`${factory}/${webhook} still accepts the OLD secret; ${reason}.`);
}

async function endOverlap(name: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const { uid } = await findWebhook(client, factory, name);
  const ended = await client.webhooks.endOverlap(factory, uid);
  if (options.json) printJson(ended);
  else print(`Webhook "${ended.name}" accepts only its current secret.`);
}

async function toggle(name: string, enabled: boolean, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const { uid } = await findWebhook(client, factory, name);
  const { response } = await client.webhooks.get(factory, uid).withResponse();
  const changed = await client.webhooks.update(factory, uid, { enabled }, etagOf(response));
  if (options.json) printJson(changed);
  else print(`Webhook "${changed.name}" is ${changed.status}${changed.enabled ? "" : ": senders get 404"}.`);
}

async function remove(name: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const { uid } = await findWebhook(client, factory, name);
  const { response } = await client.webhooks.get(factory, uid).withResponse();
  await client.webhooks.delete(factory, uid, etagOf(response));
  if (options.json) return printJson({ uid, name, deleted: true });
  print(`Deleted webhook "${name}": senders get 404. A new webhook with this name gets the same URL.`);
}

async function readSecret({ secretFile }: SecretOptions): Promise<string | undefined> {
  if (secretFile === undefined) return undefined;
  const secret = withoutLineEnd(await readSecretText(secretFile, "signing secret"));
  if (secret !== "") return secret;
  throw new MillraceError("invalid_request", "The --secret-file input is empty.");
}

function nextStep(
  { name, status, url, auth_mode, secret_name, secret }: Models["CreatedWebhook"],
  lacksSecret = false,
): string {
  if (lacksSecret || status === "awaiting_secret") {
    return `Enter this URL at the provider, then set the signing secret that the provider shows: \`millrace webhooks rotate-secret ${name} --secret-file FILE\`.`;
  }
  if (secret === undefined) {
    const place = url.endsWith("/{token}") ? "; replace {token} in the URL with its value" : "";
    return `It uses the existing secret ${secret_name}${place}.`;
  }
  const meant = {
    token: "the bearer token",
    url_token: "the token in the URL",
    signature: "the signing secret",
  };
  return `This is the only time that ${meant[auth_mode]} is shown. It is stored as secret ${secret_name}.`;
}

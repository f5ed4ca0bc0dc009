import { Command, Option } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { SCHEMES } from "../../definitions/schemes/schemes.ts";
import { MillraceError } from "../../errors/error.ts";
import { present } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect, etagOf } from "../connect.ts";
import { readSecretText, readTextFile, withoutLineEnd } from "../input.ts";
import { ago, print, printError, printFields, printJson, printTable } from "../output.ts";
import { lastRunText, successText, summaryFields } from "../runs/run-text.ts";

export function webhooksCommand(): Command {
  const webhooks = new Command("webhooks").description("manage webhooks");
  asClientCommand(webhooks.command("list").description("list the webhooks of a factory"), {
    ofFactory: true,
  }).action(list);
  asClientCommand(webhooks.command("show <name>").description("show a webhook, by name or UID"), {
    ofFactory: true,
  }).action(show);
  asClientCommand(
    webhooks.command("send <name>").description("send a test delivery, signed by the server, to a webhook"),
    { ofFactory: true },
  )
    .option("--body <file>", "body to send, byte for byte (default: a small test body)")
    .option("--event <name>", "for webhooks with scheme github: value of the X-GitHub-Event header")
    .action(send);
  asClientCommand(
    webhooks
      .command("adopt <name>")
      .description("restore a webhook's previous UID after the database was lost"),
    { ofFactory: true },
  )
    .requiredOption("--uid <uid>", "the 22 letters and digits at the end of the URL that senders use")
    .action(adopt);
  addWebhookEdits(webhooks);
  return webhooks;
}

async function adopt(name: string, options: ConnectOptions & { uid: string }): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const { uid } = await findWebhook(client, factory, name);
  const webhook = await client.webhooks.adopt(factory, uid, options.uid);
  if (options.json) printJson(webhook);
  else print(`Restored the URL of webhook "${webhook.name}": ${webhook.url}`);
}

interface SendOptions extends ConnectOptions {
  body?: string;
  event?: string;
}

async function send(name: string, options: SendOptions): Promise<void> {
  const body = {
    ...(options.body === undefined ? {} : { text: await readTextFile(options.body) }),
    ...(options.event === undefined ? {} : { event: options.event }),
  };
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const { uid } = await findWebhook(client, factory, name);
  const sent = await client.webhooks.sendTestDelivery(factory, uid, body);
  if (options.json) printJson(sent);
  else if (sent.delivery_id)
    print(`Webhook "${name}" answered ${sent.status}: delivery ${sent.delivery_id}.`);
  else {
    const { detail } = sent.answer as { detail?: string };
    print(`Webhook "${name}" answered ${sent.status}: ${detail ?? JSON.stringify(sent.answer)}`);
    print(`Run \`millrace deliveries list --webhook ${name}\` to see why.`);
  }
  if (sent.status >= 400) process.exitCode = 1;
}

async function list(options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const webhooks = await listWebhooks(client, factory);
  const activityOf = new Map((await activities(client, { factory })).map((each) => [each.uid, each]));
  if (options.json)
    printJson(webhooks.map((webhook) => ({ ...webhook, activity: activityOf.get(webhook.uid) })));
  else if (webhooks.length === 0)
    print(
      "There are no webhooks. To add one, run `millrace webhooks create NAME`, or create webhooks/NAME.yaml with secretName in the repository.",
    );
  else {
    printTable(
      ["NAME", "STATUS", "MODE", "LAST DELIVERY", "LAST RUN", "SUCCESS", "URL"],
      webhooks.map((webhook) => {
        const activity = activityOf.get(webhook.uid);
        return [
          webhook.name,
          webhook.status,
          modeOf(webhook),
          ago(activity?.latest[0]?.time),
          lastRunText(activity),
          successText(activity),
          webhook.url,
        ];
      }),
    );
  }
}

async function show(name: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const webhook = await findWebhook(client, factory, name);
  const [activity] = await activities(client, { factory, uid: webhook.uid });
  if (options.json) printJson({ ...webhook, activity });
  else {
    printFields({
      name: webhook.name,
      uid: webhook.uid,
      status: webhook.status,
      url: webhook.url,
      mode: modeOf(webhook),
      "in the url":
        webhook.auth_mode === "url_token" ? `replace {token} with the value of ${webhook.secret_name}` : null,
      secret: webhook.has_newer_secret
        ? `${webhook.secret_name} (a newer value takes effect when the definition is next applied)`
        : webhook.secret_name,
      "previous secret": previousText(webhook),
      "delivery id": webhook.delivery_id_header,
      "last delivery": lastDeliveryText(activity),
      dropped: droppedText(activity?.dropped),
      ...summaryFields(activity),
      "defined in": webhook.defined_in.path,
      updated: ago(webhook.updated_at),
    });
  }
}

/** Until when it is accepted, and who has used it: whoever that is has to change before then. */
function previousText({ previous_secret: previous }: Models["Webhook"]): string | null {
  if (!previous) return null;
  const users = previous.senders.map(
    ({ address, user_agent, last_delivery_at }) =>
      `\n${ago(last_delivery_at)} by ${address ?? "an unknown address"}${user_agent === null ? "" : ` (${user_agent})`}`,
  );
  const used = users.length === 0 ? "no delivery in the log used it" : `used:${users.join("")}`;
  return `accepted until ${previous.until}, ${used}`;
}

async function activities(client: Millrace, query: { factory: string; uid?: string }) {
  return (await client.webhookActivity({ ...query, details: true })).webhooks;
}

function lastDeliveryText(activity: Models["WebhookActivity"] | undefined): string {
  const last = activity?.latest[0];
  if (!last) return "none";
  const warning = activity.refuses_all
    ? "\nThe last 20 deliveries arrived within an hour, and all were rejected."
    : "";
  return `${last.outcome} ${ago(last.time)}${warning}`;
}

/** What was refused without a record in the last 24 hours; nothing where nothing was. */
function droppedText(dropped: Models["WebhookActivity"]["dropped"] | undefined): string | null {
  if (!dropped || dropped.over_budget + dropped.blocked === 0) return null;
  return `${dropped.over_budget} over budget and ${dropped.blocked} from blocked addresses in 24 hours`;
}

function modeOf({ auth_mode, signature_scheme }: Models["Webhook"]): string {
  return signature_scheme ? `${auth_mode} (${signature_scheme})` : auth_mode;
}

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
function addWebhookEdits(webhooks: Command): void {
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

/** The webhooks that a factory has. */
export function listWebhooks(client: Millrace, factory: string): Promise<Models["Webhook"][]> {
  return client.webhooks.list(factory, { limit: 500 }).toArray();
}

/** A webhook by its name or uid. @throws MillraceError `resource_not_found` */
export async function findWebhook(
  client: Millrace,
  factory: string,
  name: string,
): Promise<Models["Webhook"]> {
  const found = (await listWebhooks(client, factory)).find(
    (webhook) => webhook.name === name || webhook.uid === name,
  );
  if (found) return found;
  throw new MillraceError("resource_not_found", `Factory "${factory}" has no webhook "${name}".`, {
    remedy: "Run `millrace webhooks list` to list its webhooks.",
  });
}

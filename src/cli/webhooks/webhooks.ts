import { Command } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { readTextFile } from "../input.ts";
import { ago, print, printFields, printJson, printTable } from "../output.ts";
import { findWebhook, listWebhooks } from "./find-webhook.ts";
import { lastRunText, successText, summaryFields } from "./run-summary-text.ts";
import { addWebhookEdits } from "./webhook-edits.ts";

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

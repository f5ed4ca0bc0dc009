import { Command } from "commander";
import type { Models } from "../../client/client.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { readTextFile } from "../input.ts";
import { ago, print, printFields, printJson, printTable } from "../output.ts";
import { findWebhook, listWebhooks } from "./find-webhook.ts";
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
  const webhooks = await listWebhooks(client, await chosenFactory(client, options));
  if (options.json) printJson(webhooks);
  else if (webhooks.length === 0)
    print(
      "There are no webhooks. To add one, run `millrace webhooks create NAME`, or create webhooks/NAME.yaml with secretName in the repository.",
    );
  else {
    printTable(
      ["NAME", "STATUS", "MODE", "URL"],
      webhooks.map((webhook) => [webhook.name, webhook.status, modeOf(webhook), webhook.url]),
    );
  }
}

async function show(name: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const webhook = await findWebhook(client, await chosenFactory(client, options), name);
  if (options.json) printJson(webhook);
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
      "delivery id": webhook.delivery_id_header,
      "defined in": webhook.defined_in.path,
      updated: ago(webhook.updated_at),
    });
  }
}

function modeOf({ auth_mode, signature_scheme }: Models["Webhook"]): string {
  return signature_scheme ? `${auth_mode} (${signature_scheme})` : auth_mode;
}

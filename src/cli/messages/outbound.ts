import { Command, Option } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { itemLimit, MAX_PAGE } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { findDeliveryId } from "../deliveries/find-delivery.ts";
import { ago, print, printError, printJson, printTable } from "../output.ts";
import { findRunId } from "../runs/find-run.ts";
import { digitsOf, findByStart } from "../short-ids.ts";

type Delivery = Models["OutboundDelivery"];

interface OutboundOptions extends ConnectOptions {
  serverWide?: true;
}

interface ExplainOptions extends OutboundOptions {
  event: Models["OutboundQuestion"]["event"];
  subject?: string;
}

interface DeliveriesOptions extends OutboundOptions {
  limit: number;
  state?: Delivery["state"];
}

const DELIVERY_STATES = ["waiting", "sent", "failed", "dropped"];
const MAX_SEARCHED = 10_000;

export function outboundCommand(): Command {
  const outbound = new Command("outbound").description(
    "list outbound webhooks, see what they sent, and send it again",
  );
  asOutboundCommand(outbound.command("list").description("list outbound webhooks")).action(list);
  asOutboundCommand(
    outbound
      .command("show")
      .argument("<name>")
      .description("show an outbound webhook and its receiver's state"),
  ).action(show);
  asOutboundCommand(
    outbound
      .command("test")
      .argument("<name>")
      .description("send a test event; exits with 1 if the receiver did not accept it"),
  ).action(test);
  addDeliveryCommands(outbound);
  asOutboundCommand(
    outbound
      .command("explain")
      .argument("<name>")
      .description("explain whether an outbound webhook would send an event; exits with 1 if it would not")
      .requiredOption("--event <event>", "the event, such as run.ended")
      .option(
        "--subject <id>",
        "what the event is about: the ID of a run or delivery, the UID of a task, or with --server-wide the name of a factory",
      ),
  ).action(explain);
  asClientCommand(
    outbound
      .command("rotate-secret")
      .argument("<name>")
      .description(
        "generate a new signing secret and print it once; requests are signed with it immediately",
      ),
    { ofFactory: true },
  ).action(rotateSecret);
  return outbound;
}

/** Adds the commands about what outbound webhooks sent. */
function addDeliveryCommands(outbound: Command): void {
  asOutboundCommand(
    outbound
      .command("deliveries")
      .argument("<name>")
      .description("list what was sent, or waits, newest first"),
  )
    .addOption(new Option("--state <state>", "only deliveries in this state").choices(DELIVERY_STATES))
    .option("--limit <n>", "maximum number of deliveries", itemLimit, 20)
    .action(listDeliveries);
  asOutboundCommand(
    outbound
      .command("delivery")
      .argument("<name>")
      .argument("<id>", "ID of the delivery, or its beginning")
      .description("show a delivery with its body and the receiver's last response"),
  ).action(showDelivery);
  asOutboundCommand(
    outbound
      .command("redeliver")
      .argument("<name>")
      .argument("<id>", "ID of the delivery, or its beginning")
      .description("send a delivery again, with the same webhook-id and body"),
  ).action(redeliver);
}

/** Adds the options of a command for outbound webhooks of a factory or of the settings. */
function asOutboundCommand(command: Command): Command {
  return asClientCommand(command, { ofFactory: true }).option(
    "--server-wide",
    "an outbound webhook of the server's settings file instead of a factory",
  );
}

/** The factory whose outbound webhooks are meant; null for those of the settings. */
async function placeOf(client: Millrace, options: OutboundOptions): Promise<string | null> {
  return options.serverWide ? null : chosenFactory(client, options);
}

async function list(options: OutboundOptions): Promise<void> {
  const client = connect(options);
  const found = await client.outbound.list(await placeOf(client, options), { limit: MAX_PAGE }).toArray();
  if (options.json) return printJson(found);
  if (found.length === 0)
    return print(
      options.serverWide
        ? "There are no outbound webhooks in the settings. Add `outbound:` to millrace.yaml."
        : "There are no outbound webhooks. Add outbound/<name>.yaml to the definition.",
    );
  printTable(
    ["NAME", "RECEIVER", "EVENTS", "STATE", "WAITING", "LAST ERROR"],
    found.map(({ name, origin, events, state, waiting, last_error }) => [
      name,
      origin,
      events.join(", "),
      state,
      String(waiting),
      last_error ?? "-",
    ]),
  );
}

async function show(name: string, options: OutboundOptions): Promise<void> {
  const client = connect(options);
  const found = await client.outbound.get(await placeOf(client, options), name);
  if (options.json) return printJson(found);
  const { origin, path, secret_name, events, filter, factories, ordered, state, waiting, failures } = found;
  const lines = [
    ["receiver", origin],
    ["file", path ?? "millrace.yaml"],
    ["secret", secret_name ?? "from the settings"],
    ["events", events.join(", ")],
    ...(factories === undefined ? [] : [["factories", factories.join(", ")]]),
    ["filter", filter === undefined ? "none" : JSON.stringify(filter)],
    ["ordered", ordered ? "yes: the events of a run wait for each other" : "no"],
    ["state", failures > 0 ? `${state} (${failures} failed attempts in a row)` : state],
    ["waiting", String(waiting)],
    ...(found.next_attempt_at === null ? [] : [["next attempt", found.next_attempt_at]]),
    ...(found.last_error === null ? [] : [["last error", found.last_error]]),
  ];
  for (const [label = "", value = ""] of lines) print(`${label.padEnd(13)} ${value}`);
}

async function test(name: string, options: OutboundOptions): Promise<void> {
  const client = connect(options);
  const sent = await client.outbound.test(await placeOf(client, options), name);
  if (options.json) printJson(sent);
  else if (sent.state === "sent")
    print(`Sent a test event to ${name}: ${sent.response?.status ?? "accepted"}.`);
  else print(`The test event was not accepted by ${name}: ${sent.last_error}.`);
  if (sent.state !== "sent") process.exitCode = 1;
}

async function explain(name: string, { event, subject, ...options }: ExplainOptions): Promise<void> {
  const client = connect(options);
  const place = await placeOf(client, options);
  const answer = await client.outbound.explain(place, name, {
    event,
    ...(subject === undefined ? {} : { subject: await wholeSubject(client, { place, event, subject }) }),
  });
  if (options.json) printJson(answer);
  else {
    print(answer.sends ? `${name} would send this ${event}.` : `${name} would not send this ${event}.`);
    if (answer.reason !== null) print(answer.reason);
    for (const { passed, field, reason } of answer.checks)
      print(`  ${passed ? "passed" : "failed"}  ${field ?? "filter"}: ${reason}`);
  }
  if (!answer.sends) process.exitCode = 1;
}

/** The id of what an event is about, of which a beginning may be given for a run or a delivery. */
function wholeSubject(
  client: Millrace,
  { place, event, subject }: { place: string | null; event: string; subject: string },
): string | Promise<string> {
  if (event.startsWith("run.")) return findRunId(client, subject);
  return event === "delivery.refused" ? findDeliveryId(client, place, subject) : subject;
}

async function rotateSecret(name: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const rotated = await client.outbound.rotateSecret(await chosenFactory(client, options), name);
  if (options.json) return printJson(rotated);
  print(rotated.secret);
  printError(
    `This is the new value of ${rotated.secret_name}. It is not shown again: give it to the receiver now.`,
  );
}

async function listDeliveries(name: string, { limit, state, ...options }: DeliveriesOptions): Promise<void> {
  const client = connect(options);
  const query = { limit: Math.min(limit, MAX_PAGE), ...(state === undefined ? {} : { state: [state] }) };
  const items: Delivery[] = [];
  for await (const item of client.outbound.deliveries(await placeOf(client, options), name, query)) {
    items.push(item);
    if (items.length === limit) break;
  }
  if (options.json) return printJson(items);
  if (items.length === 0) return print("There are no deliveries.");
  printTable(
    ["WHEN", "EVENT", "STATE", "ID", "ATTEMPTS", "RESPONSE", "LAST ERROR"],
    items.map((each) => [
      ago(each.created_at),
      each.event,
      each.state,
      each.id,
      String(each.attempts),
      each.response ? String(each.response.status) : "-",
      each.last_error ?? "-",
    ]),
  );
}

async function showDelivery(name: string, start: string, options: OutboundOptions): Promise<void> {
  const client = connect(options);
  const place = await placeOf(client, options);
  const found = await client.outbound.delivery(place, name, await idOf(client, place, name, start));
  if (options.json) return printJson(found);
  const { id, event, state, attempts, response, last_error } = found;
  print(`${id}  ${event}  ${state}  attempts: ${attempts}`);
  if (last_error !== null) print(`last error: ${last_error}`);
  if (response) print(`response ${response.status} after ${response.duration_ms} ms: ${response.body}`);
  print(JSON.stringify(found.body, null, 2));
}

async function redeliver(name: string, start: string, options: OutboundOptions): Promise<void> {
  const client = connect(options);
  const place = await placeOf(client, options);
  const sent = await client.outbound.redeliver(place, name, await idOf(client, place, name, start));
  if (options.json) return printJson(sent);
  print(
    `The delivery ${sent.id} is sent again. \`millrace outbound deliveries ${name}\` shows the response.`,
  );
}

/** The id of the delivery whose id begins like this. @throws MillraceError when none does or several do */
function idOf(client: Millrace, place: string | null, name: string, start: string): Promise<string> {
  return findByStart({
    what: ["delivery", "deliveries"],
    start,
    shownBy: `millrace outbound deliveries ${name}`,
    limit: {
      most: MAX_SEARCHED,
      message: `None of the newest ${MAX_SEARCHED} deliveries has an ID that begins with ${start}.`,
      remedy: "Enter the full ID.",
    },
    async *candidates(digits) {
      for await (const { id, event, created_at } of client.outbound.deliveries(place, name, {
        limit: MAX_PAGE,
      })) {
        // Ids rise with time and the newest comes first: what follows is older than any that begins so.
        if (digitsOf(id) < digits) return;
        yield { id, about: `${created_at}  ${event}` };
      }
    },
  });
}

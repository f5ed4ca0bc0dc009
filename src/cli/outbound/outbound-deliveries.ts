import { type Command, Option } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { itemLimit, MAX_PAGE } from "../arguments.ts";
import { connect } from "../connect.ts";
import { digitsOf, findByStart } from "../find-by-start.ts";
import { ago, print, printJson, printTable } from "../output.ts";
import { asOutboundCommand, type OutboundOptions, placeOf } from "./outbound.ts";

type Delivery = Models["OutboundDelivery"];

interface ListOptions extends OutboundOptions {
  limit: number;
  state?: Delivery["state"];
}

const STATES = ["waiting", "sent", "failed", "dropped"];
const MAX_SEARCHED = 10_000;

/** Adds the commands about what outbound webhooks sent. */
export function addOutboundDeliveries(outbound: Command): void {
  asOutboundCommand(
    outbound
      .command("deliveries")
      .argument("<name>")
      .description("list what was sent, or waits, newest first"),
  )
    .addOption(new Option("--state <state>", "only deliveries in this state").choices(STATES))
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

async function listDeliveries(name: string, { limit, state, ...options }: ListOptions): Promise<void> {
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

import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { deliveryIdStart } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { print, printJson, printJsonLine } from "../output.ts";
import { findWebhook, listWebhooks } from "../webhooks/webhooks.ts";
import { checkLine } from "./filter.ts";
import { findDeliveryId } from "./find-delivery.ts";

/** Adds the commands that do more with deliveries than read them. */
export function addDeliveryActions(deliveries: Command): void {
  asClientCommand(
    deliveries.command("explain").description("explain what a delivery did for each automation, and why"),
    { ofFactory: true },
  )
    .argument("<id>", "delivery ID, or its first characters", deliveryIdStart)
    .action(explain);
  asClientCommand(
    deliveries.command("redeliver").description("redeliver accepted deliveries, using the active definition"),
    { ofFactory: true },
  )
    .argument("<id...>", "delivery IDs, or their first characters", deliveryIdStarts)
    .option("--idempotency-key <key>", "idempotency key: retries with the same key redeliver nothing twice")
    .action(redeliver);
  asClientCommand(
    deliveries.command("tail").description("print deliveries as they arrive, until you press Ctrl-C"),
    {
      ofFactory: true,
    },
  )
    .option("--webhook <name>", "only deliveries of this webhook")
    .action(tail);
}

async function explain(given: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const explained = await client.deliveries.explain(factory, await findDeliveryId(client, factory, given));
  if (options.json) printJson(explained);
  else {
    print(`${explained.outcome}. ${explained.summary}`);
    for (const automation of explained.automations) printAutomation(automation);
  }
}

function printAutomation(automation: Models["AutomationExplanation"]): void {
  const { name, enabled, paused, result, reason, skipped, disposition, triggers } = automation;
  const marks = [...(enabled ? [] : ["disabled"]), ...(paused ? ["paused"] : [])];
  print(`\n${name}: ${result}${marks.length > 0 ? ` (${marks.join(", ")})` : ""}`);
  if (reason !== null) print(`  ${reason}`);
  if (disposition) print(`  The delivery ${dispositionText(disposition)}. ${disposition.reason}`);
  if (skipped !== undefined) print(`  ${skipped}`);
  if (paused && result === "Would trigger") print("  The run would wait until the pause ends.");
  for (const [index, { checks }] of triggers.entries()) {
    if (triggers.length > 1) print(`  trigger ${index + 1}`);
    for (const check of checks) print(checkLine(check));
  }
}

interface RedeliverOptions extends ConnectOptions {
  idempotencyKey?: string;
}

/** Each delivery of several has a request of its own, so that those that can be redelivered are. */
async function redeliver(given: string[], options: RedeliverOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const ids: string[] = [];
  for (const start of given) ids.push(await findDeliveryId(client, factory, start));
  const made: Models["Delivery"][] = [];
  for (const id of ids) {
    // The key is bound to the delivery that it was used for.
    const { idempotencyKey: key } = options;
    const once = key === undefined ? {} : { idempotencyKey: ids.length > 1 ? `${key}-${id}` : key };
    const each = await client.deliveries.redeliver(factory, id, once);
    made.push(each);
    if (!options.json) printRedelivery(each);
  }
  if (options.json) printJson(given.length > 1 ? made : made[0]);
}

function printRedelivery({ delivery_id, run_ids, dispositions = [] }: Models["Delivery"]): void {
  const did = dispositions.length > 0 ? dispositions.map(dispositionText).join("; ") : "started no run";
  print(`Redelivered as ${delivery_id}: ${did}.`);
  if (run_ids.length === 0) print(`Run \`millrace deliveries explain ${delivery_id}\` to see why.`);
}

function deliveryIdStarts(text: string, before: string[] = []): string[] {
  return [...before, deliveryIdStart(text)];
}

interface TailOptions extends ConnectOptions {
  webhook?: string;
}

const EVERY_MS = 1_000;
const PAGE = 100;

async function tail(options: TailOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const seen = new Map<string, string>();
  for (let first = true; ; first = false) {
    const webhooks = options.webhook
      ? [await findWebhook(client, factory, options.webhook)]
      : await listWebhooks(client, factory);
    const come: Models["Delivery"][] = [];
    for (const { uid } of webhooks) {
      const [last, deliveries] = first
        ? [(await client.deliveries.list(factory, uid, { limit: 1 })).items[0]?.delivery_id ?? "", []]
        : await newer(client, factory, uid, seen.get(uid) ?? "");
      seen.set(uid, last);
      come.push(...deliveries);
    }
    for (const delivery of come.sort((a, b) => (a.delivery_id < b.delivery_id ? -1 : 1))) {
      const { time, webhook, outcome, delivery_id } = delivery;
      if (options.json) printJsonLine(delivery);
      else print([time, webhook, outcome, delivery_id, whyOf(delivery)].join("  ").trimEnd());
    }
    await sleep(EVERY_MS);
  }
}

/** What has come to a webhook since a delivery, with the id of the newest. */
async function newer(
  client: Millrace,
  factory: string,
  uid: string,
  last: string,
): Promise<[string, Models["Delivery"][]]> {
  const found: Models["Delivery"][] = [];
  for await (const delivery of client.deliveries.list(factory, uid, { limit: PAGE })) {
    if (delivery.delivery_id <= last) break;
    found.push(delivery);
  }
  return [found[0]?.delivery_id ?? last, found];
}

/** Why a delivery was refused, or which one it repeats; empty for one that was accepted. */
export function whyOf({ reason, duplicate_of, body_differs }: Models["Delivery"]): string {
  if (duplicate_of) return `duplicate of ${duplicate_of}${body_differs ? " (body differs)" : ""}`;
  return reason ?? "";
}

type Disposition = Models["Disposition"];

/** What a delivery did, in words that follow what it is called. */
function dispositionText({ kind, run_id: run, replaced_run_ids: replaced }: Disposition): string {
  switch (kind) {
    case "started":
      return `started run ${run}`;
    case "waiting":
      return `started run ${run}, which waits`;
    case "joined":
      return `joined run ${run}`;
    case "continued":
      return `continued run ${run}`;
    case "replaced":
      return `replaced ${replaced.join(", ")} with run ${run}`;
  }
}

import { Command } from "commander";
import type { Models } from "../../client/client.ts";
import { deliveryIdStart, pageLimit } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { ago, print, printFields, printJson, printTable } from "../output.ts";
import { findWebhook, listWebhooks } from "../webhooks/find-webhook.ts";
import { addDeliveryActions } from "./delivery-actions.ts";
import { addDeliveryDeletions } from "./delivery-deletions.ts";
import { findDeliveryId } from "./find-delivery.ts";

interface ListOptions extends ConnectOptions {
  webhook?: string;
  limit: number;
}

export function deliveriesCommand(): Command {
  const deliveries = new Command("deliveries").description("inspect and redeliver webhook deliveries");
  asClientCommand(deliveries.command("list").description("list recent deliveries, newest first"), {
    ofFactory: true,
  })
    .option("--webhook <name>", "only deliveries of this webhook")
    .option("--limit <n>", "maximum number of deliveries, at most 500", pageLimit, 20)
    .action(list);
  asClientCommand(deliveries.command("show").description("show a delivery and its payload"), {
    ofFactory: true,
  })
    .argument("<id>", "delivery ID, or its first characters", deliveryIdStart)
    .action(show);
  addDeliveryActions(deliveries, whyOf);
  addDeliveryDeletions(deliveries);
  return deliveries;
}

async function list(options: ListOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const webhooks = options.webhook
    ? [await findWebhook(client, factory, options.webhook)]
    : await listWebhooks(client, factory);
  const deliveries: (Models["Delivery"] & { webhook: string })[] = [];
  for (const { uid, name } of webhooks) {
    const { items } = await client.deliveries.list(factory, uid, { limit: options.limit });
    deliveries.push(...items.map((delivery) => ({ ...delivery, webhook: name })));
  }
  const newest = deliveries.sort((a, b) => (a.delivery_id < b.delivery_id ? 1 : -1)).slice(0, options.limit);
  if (options.json) printJson(newest);
  else if (newest.length === 0)
    print("No deliveries yet. Run `millrace webhooks list` for the URLs to send to.");
  else {
    printTable(
      ["OUTCOME", "WEBHOOK", "ID", "SIZE", "RUNS", "TIME", "WHY"],
      newest.map((delivery) => [
        delivery.outcome,
        delivery.webhook,
        delivery.delivery_id,
        String(delivery.size),
        String(delivery.run_ids.length),
        ago(delivery.time),
        whyOf(delivery),
      ]),
    );
  }
}

async function show(given: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const delivery = await client.deliveries.get(factory, await findDeliveryId(client, factory, given));
  if (options.json) printJson(delivery);
  else {
    printFields({
      id: delivery.delivery_id,
      outcome: delivery.outcome,
      why: whyOf(delivery) || null,
      webhook: delivery.webhook_uid,
      time: delivery.time,
      size: `${delivery.size} bytes`,
      identity: delivery.identity && `${delivery.identity.value} (${delivery.identity.source})`,
      "redelivery of": delivery.redelivery_of,
      event: delivery.event,
      runs: delivery.run_ids.join("\n") || "none",
      payload: payloadOf(delivery),
    });
  }
}

/** Refused and repeated deliveries never had one here. */
function payloadOf(delivery: Models["Delivery"]): string | null {
  if ("payload" in delivery) return JSON.stringify(delivery.payload, null, 2);
  return delivery.outcome === "Accepted" ? "was deleted" : null;
}

function whyOf({ reason, duplicate_of, body_differs }: Models["Delivery"]): string {
  if (duplicate_of) return `duplicate of ${duplicate_of}${body_differs ? " (body differs)" : ""}`;
  return reason ?? "";
}

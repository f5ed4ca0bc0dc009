import { Command } from "commander";
import type { Models } from "../../client/client.ts";
import { deliveryIdStart } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { printFields, printJson } from "../output.ts";
import { addDeliveryActions } from "./delivery-actions.ts";
import { addDeliveryDeletions } from "./delivery-deletions.ts";
import { addDeliveryList } from "./delivery-list.ts";
import { addDeliveryTests } from "./delivery-tests.ts";
import { findDeliveryId } from "./find-delivery.ts";
import { whyOf } from "./why-of.ts";

export function deliveriesCommand(): Command {
  const deliveries = new Command("deliveries").description("inspect and redeliver webhook deliveries");
  addDeliveryList(deliveries);
  asClientCommand(deliveries.command("show").description("show a delivery and its payload"), {
    ofFactory: true,
  })
    .argument("<id>", "delivery ID, or its first characters", deliveryIdStart)
    .action(show);
  addDeliveryActions(deliveries);
  addDeliveryTests(deliveries);
  addDeliveryDeletions(deliveries);
  return deliveries;
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
      webhook: `${delivery.webhook ?? delivery.webhook_uid}${delivery.webhook_deleted ? " (deleted)" : ""}`,
      time: delivery.time,
      size: `${delivery.size} bytes`,
      identity: delivery.identity && `${delivery.identity.value} (${delivery.identity.source})`,
      "redelivery of": delivery.redelivery_of,
      event: delivery.event,
      "authenticated with": delivery.proved_by && `the ${delivery.proved_by} secret`,
      ...senderFields(delivery),
      runs: delivery.run_ids.join("\n") || "none",
      payload: payloadOf(delivery),
    });
  }
}

function senderFields({ sender }: Models["Delivery"]): Record<string, string | null> {
  if (!sender) return {};
  const headers = Object.entries(sender.headers).map(([name, value]) => `${name}: ${value}`);
  return {
    sender: sender.address,
    "content type": sender.content_type,
    "user agent": sender.user_agent,
    headers: headers.join("\n") || null,
  };
}

/** Refused and repeated deliveries never had one here. */
function payloadOf(delivery: Models["Delivery"]): string | null {
  if ("payload" in delivery) return JSON.stringify(delivery.payload, null, 2);
  return delivery.outcome === "Accepted" ? "was deleted" : null;
}

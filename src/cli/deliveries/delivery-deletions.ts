import type { Command } from "commander";
import { pluralize } from "../../pluralize.ts";
import { deliveryIdStart } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { print, printJson } from "../output.ts";
import { findWebhook } from "../webhooks/find-webhook.ts";
import { findDeliveryId } from "./find-delivery.ts";

/** Adds the commands that delete what webhooks have received. */
export function addDeliveryDeletions(deliveries: Command): void {
  asClientCommand(
    deliveries
      .command("delete-payload")
      .description(
        "delete the payload of a delivery, and the copies in its runs; all of its runs must have ended",
      ),
    { ofFactory: true },
  )
    .argument("<id>", "delivery ID, or its first characters", deliveryIdStart)
    .action(async (given: string, options: ConnectOptions) => {
      const client = connect(options);
      const factory = await chosenFactory(client, options);
      const id = await findDeliveryId(client, factory, given);
      await client.deliveries.deletePayload(factory, id);
      print(`Deleted the payload of ${id}.`);
    });
  asClientCommand(
    deliveries
      .command("delete-all <webhook>")
      .description("delete all deliveries of a webhook, except those whose runs have not ended"),
    { ofFactory: true },
  ).action(deleteAll);
}

async function deleteAll(name: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const { uid } = await findWebhook(client, factory, name);
  const result = await client.deliveries.deleteAll(factory, uid);
  if (options.json) return printJson(result);
  const { deleted, kept } = result;
  const rest =
    kept > 0
      ? `; ${pluralize(kept, "remains until its runs have", "remain until their runs have")} ended`
      : "";
  print(`Deleted ${pluralize(deleted, "delivery", "deliveries")}${rest}.`);
}

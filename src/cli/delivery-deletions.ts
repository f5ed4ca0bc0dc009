import type { Command } from "commander";
import { counted } from "../counted.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "./connect.ts";
import { findWebhook } from "./find-webhook.ts";
import { print, printJson } from "./output.ts";

/** Adds the commands that delete what webhooks have received. */
export function addDeliveryDeletions(deliveries: Command): void {
  asClientCommand(
    deliveries
      .command("delete-payload <id>")
      .description("delete the payload of a delivery whose runs have ended, and their copies of it"),
    { ofFactory: true },
  ).action(async (id: string, options: ConnectOptions) => {
    const client = connect(options);
    await client.deliveries.deletePayload(await chosenFactory(client, options), id);
    print(`The payload of ${id} is deleted.`);
  });
  asClientCommand(
    deliveries
      .command("delete-all <webhook>")
      .description("delete all deliveries of a webhook, but those whose runs have not ended"),
    { ofFactory: true },
  ).action(deleteAll);
}

async function deleteAll(name: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const { uid } = await findWebhook(client, factory, name);
  const told = await client.deliveries.deleteAll(factory, uid);
  if (options.json) return printJson(told);
  const { deleted, kept } = told;
  const rest =
    kept > 0 ? `; ${counted(kept, "stays until its run has", "stay until their runs have")} ended` : "";
  print(`${counted(deleted, "delivery is", "deliveries are")} deleted${rest}.`);
}

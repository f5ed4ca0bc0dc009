import { Command } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { runIdStart } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { ago, print, printJson, printTable } from "../output.ts";
import { findRunOrLatest, RUN_OR_LATEST } from "./find-run.ts";

/** `runs deliveries`: the deliveries that a run is about. */
export function runDeliveriesCommand(): Command {
  return asClientCommand(
    new Command("deliveries")
      .argument("[id]", RUN_OR_LATEST, runIdStart)
      .description("list the newest 2,000 deliveries that a run is about, oldest first"),
  ).action(deliveries);
}

async function deliveries(given: string | undefined, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const found = await client.runs.listDeliveries(await findRunOrLatest(client, given));
  if (options.json) return printJson(found.deliveries);
  if (found.deliveries.length === 0) return print("No delivery started this run.");
  printTable(
    ["ID", "DID", "KEY", "TIME"],
    found.deliveries.map(({ delivery_id, kind, key, time }) => [delivery_id, kind, key ?? "", ago(time)]),
  );
}

/** So many are shown with the run. */
const MAX_SHOWN = 20;

/** The newest deliveries of a run that has several, oldest first; nothing for one that has no more than one. */
export async function deliveryLines(client: Millrace, run: Models["RunItem"]): Promise<string | null> {
  if (!run.delivery_id) return null;
  const { deliveries: all } = await client.runs.listDeliveries(run.run_id);
  if (all.length < 2) return null;
  const lines = all
    .slice(-MAX_SHOWN)
    .map(({ delivery_id, kind, time }) => `${delivery_id}  ${kind}  ${ago(time)}`);
  const more = all.length - lines.length;
  if (more > 0) lines.push(`and ${more} more: \`millrace runs deliveries ${run.run_id}\` lists them`);
  return lines.join("\n");
}

import { Command } from "commander";
import type { ChangeEvent } from "../../client/client.ts";
import { eventNumber, present } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { print, printError, printJsonLine } from "../output.ts";

interface EventsOptions extends ConnectOptions {
  lastEventId?: string;
}

/** What changes carry; each kind has some of it (`GET /events`). */
type ChangeData = Readonly<Record<string, string | undefined>>;

export function eventsCommand(): Command {
  return asClientCommand(
    new Command("events").description(
      "stream changes to runs, deliveries and factories until you press Ctrl-C",
    ),
  )
    .option("--last-event-id <n>", "start after this event (default: only new events)", eventNumber)
    .addHelpText("after", "\nCtrl-C ends the command with exit code 130.")
    .action(events);
}

/** Goes on until it is interrupted. It catches no signal, so that a shell knows that Ctrl-C has ended it. */
async function events({ lastEventId, ...options }: EventsOptions): Promise<void> {
  for await (const change of connect(options).events(present({ lastEventId }))) {
    const { id, event } = change;
    const data = change.data as ChangeData;
    if (options.json) printJsonLine({ id, event, ...data });
    else if (event === "reset")
      printError("Some events were missed. Reload the current state before you continue.");
    else print(lineOf(change, data));
  }
}

function lineOf({ id, event }: ChangeEvent, data: ChangeData): string {
  const ofDelivery = event === "webhook" ? data.webhook_uid : data.delivery_id;
  const subject = data.run_id ?? ofDelivery ?? data.name ?? data.factory_uid;
  const status = data.deleted !== undefined ? "deleted" : (data.state ?? data.outcome ?? data.status);
  return [id, data.at, event, subject, status].filter((part) => part !== undefined).join("  ");
}

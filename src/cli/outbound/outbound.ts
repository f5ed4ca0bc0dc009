import { Command } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { MAX_PAGE } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { findDeliveryId } from "../deliveries/find-delivery.ts";
import { print, printError, printJson, printTable } from "../output.ts";
import { findRunId } from "../runs/find-run.ts";
import { addOutboundDeliveries } from "./outbound-deliveries.ts";

export interface OutboundOptions extends ConnectOptions {
  serverWide?: true;
}

interface ExplainOptions extends OutboundOptions {
  event: Models["OutboundQuestion"]["event"];
  subject?: string;
}

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
  addOutboundDeliveries(outbound);
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

/** Adds the options of a command for outbound webhooks of a factory or of the settings. */
export function asOutboundCommand(command: Command): Command {
  return asClientCommand(command, { ofFactory: true }).option(
    "--server-wide",
    "an outbound webhook of the server's settings file instead of a factory",
  );
}

/** The factory whose outbound webhooks are meant; null for those of the settings. */
export async function placeOf(client: Millrace, options: OutboundOptions): Promise<string | null> {
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

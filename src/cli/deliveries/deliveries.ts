import { Readable } from "node:stream";
import { Command, InvalidArgumentError, Option } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { pluralize } from "../../pluralize.ts";
import { deliveryIdStart, instantPast, itemLimit, MAX_PAGE, present } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { ago, print, printFields, printJson, printTable } from "../output.ts";
import { safePath, writeSafely } from "../safe-file.ts";
import { findWebhook } from "../webhooks/webhooks.ts";
import { addDeliveryActions, whyOf } from "./delivery-actions.ts";
import { findDeliveryId } from "./find-delivery.ts";

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

type Delivery = Models["Delivery"];
type Outcome = Delivery["outcome"];

const OUTCOMES: readonly Outcome[] = [
  "Accepted",
  "Duplicate",
  "Rejected (auth)",
  "Rejected (invalid JSON)",
  "Rejected (too large)",
];

interface ListOptions extends ConnectOptions {
  webhook?: string;
  outcome?: Outcome[];
  since?: string;
  until?: string;
  started?: true;
  notStarted?: true;
  failed?: true;
  event?: string;
  search?: string;
  limit: number;
}

/** Adds the command that lists the deliveries of all webhooks. */
function addDeliveryList(deliveries: Command): void {
  asClientCommand(deliveries.command("list").description("list deliveries, newest first"))
    .option("--factory <name>", "only deliveries to this factory, given by name or UID")
    .option("--webhook <name>", "only deliveries to this webhook, given by name or UID; it can be deleted")
    .option(
      "--outcome <outcome>",
      "only deliveries with this outcome: accepted, duplicate, rejected-auth, rejected-invalid-json, rejected-too-large, or rejected for all three; repeatable",
      outcomes,
    )
    .option(
      "--since <when>",
      "only deliveries received at or after this time: a timestamp, or an age such as 2h",
      instantPast,
    )
    .option("--until <when>", "only deliveries received before this time", instantPast)
    .addOption(new Option("--started", "only deliveries that started runs").conflicts("notStarted"))
    .option("--not-started", "only deliveries that did not start runs")
    .option("--failed", "only deliveries with a run that failed")
    .option("--event <event>", "only deliveries of this event, such as issues")
    .option(
      "--search <text>",
      "only deliveries that contain all of these words; a word that ends with * matches all words that begin with it",
    )
    .option("--limit <n>", "maximum number of deliveries", itemLimit, 20)
    .action(list);
}

/** The outcomes that a word stands for, written with or without brackets, in letters of any case. */
function outcomes(text: string, before: Outcome[] = []): Outcome[] {
  const plain = (word: string) => word.toLowerCase().replace(/[^a-z]/g, "");
  const asked = plain(text);
  const found = OUTCOMES.filter((outcome) =>
    asked === "rejected" ? plain(outcome).startsWith(asked) : plain(outcome) === asked,
  );
  if (found.length > 0) return [...new Set([...before, ...found])];
  throw new InvalidArgumentError(
    "Expected accepted, duplicate, rejected-auth, rejected-invalid-json, rejected-too-large or rejected.",
  );
}

async function list(options: ListOptions): Promise<void> {
  const found = await newest(connect(options), options);
  if (options.json) return printJson(found);
  if (found.length === 0) {
    const { factory, webhook, outcome, since, until, started, notStarted, failed, event, search } = options;
    const filters = [factory, webhook, outcome, since, until, started, notStarted, failed, event, search];
    if (filters.some((each) => each !== undefined)) print("No deliveries match these filters.");
    else print("No deliveries yet. Run `millrace webhooks list` for the URLs to send to.");
    return;
  }
  const several = new Set(found.map(({ factory }) => factory)).size > 1;
  printTable(
    ["OUTCOME", ...(several ? ["FACTORY"] : []), "WEBHOOK", "ID", "SIZE", "RUNS", "TIME", "WHY"],
    found.map((delivery) => [
      delivery.outcome,
      ...(several ? [delivery.factory] : []),
      `${delivery.webhook ?? delivery.webhook_uid}${delivery.webhook_deleted ? " (deleted)" : ""}`,
      delivery.delivery_id,
      String(delivery.size),
      String(delivery.run_ids.length),
      ago(delivery.time),
      delivery.redelivery_of ? `redelivery of ${delivery.redelivery_of}` : whyOf(delivery),
    ]),
  );
}

async function newest(client: Millrace, options: ListOptions): Promise<Delivery[]> {
  const { factory, webhook, outcome, since, until, failed, event, search: q, limit } = options;
  const started = options.started ?? (options.notStarted ? false : undefined);
  const query = {
    ...present({ factory, webhook, outcome, since, until, started, failed, event, q }),
    limit: Math.min(limit, MAX_PAGE),
  };
  const found: Delivery[] = [];
  for await (const delivery of client.deliveries.listAll(query)) {
    found.push(delivery);
    if (found.length === limit) break;
  }
  return found;
}

interface MakeTestOptions extends ConnectOptions {
  automation: string;
  name?: string;
  output?: string;
  force?: true;
}

/** Adds the command that turns a delivery into a test of an automation. */
function addDeliveryTests(deliveries: Command): void {
  asClientCommand(
    deliveries
      .command("make-test")
      .description("print a delivery as a test of an automation, or write the file of the test"),
    { ofFactory: true },
  )
    .argument("<id>", "delivery ID, or its first characters", deliveryIdStart)
    .requiredOption("--automation <name>", "automation that the test is for")
    .option("--name <name>", "name of the file, without .yaml (default: delivery)")
    .option("--output <dir>", "write the file below this folder, which is the root of the definition")
    .option("--force", "with --output: replace a file that exists")
    .action(makeTest);
}

async function makeTest(given: string, options: MakeTestOptions): Promise<void> {
  const { automation, name, output, force = false, json } = options;
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const id = await findDeliveryId(client, factory, given);
  const test = await client.deliveries.makeTest(factory, id, { automation, ...present({ name }) });
  if (output !== undefined) {
    const path = await writeSafely(output, safePath(test.path), Readable.from([Buffer.from(test.content)]), {
      replaces: force,
    });
    if (json) printJson({ ...test, written: path });
    else print(`wrote ${path}`);
  } else if (json) printJson(test);
  else print(`# ${test.path}\n${test.content.trimEnd()}`);
}

/** Adds the commands that delete what webhooks have received. */
function addDeliveryDeletions(deliveries: Command): void {
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

import { type Command, InvalidArgumentError, Option } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { instantPast, itemLimit, MAX_PAGE } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { ago, print, printJson, printTable } from "../output.ts";
import { present } from "../present.ts";
import { whyOf } from "./why-of.ts";

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
export function addDeliveryList(deliveries: Command): void {
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

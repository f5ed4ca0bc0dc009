import { Command, Option } from "commander";
import type { Models } from "../../client/client.ts";
import { MillraceError } from "../../errors/error.ts";
import { itemLimit, MAX_PAGE, present } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { ago, print, printJson, printTable } from "../output.ts";

interface ListOptions extends ConnectOptions {
  limit: number;
  target?: string;
  state?: Models["Notification"]["state"];
  factory?: string;
}

interface TargetOptions extends ConnectOptions {
  factory?: string;
}

const STATES = ["waiting", "sent", "failed", "dropped"];

export function notificationsCommand(): Command {
  const list = asClientCommand(new Command("list").description("list notifications, newest first"))
    .option("--target <name>", "only notifications for this target, given by name or id")
    .option("--factory <name>", "the factory whose definition contains the target")
    .addOption(new Option("--state <state>", "only notifications in this state").choices(STATES))
    .option("--limit <n>", "maximum number of notifications", itemLimit, 20)
    .action(listNotifications);
  const targets = asClientCommand(
    new Command("targets").description("list the targets that notifications are sent to"),
  ).action(listTargets);
  const test = asClientCommand(
    new Command("test")
      .argument("<name>", "target, given by name or id")
      .description("send a test notification to a target; exits with 1 if it could not be sent"),
  )
    .option("--factory <name>", "the factory whose definition contains the target")
    .action(testTarget);
  return new Command("notifications")
    .description("list notifications and send test notifications")
    .addCommand(list)
    .addCommand(targets)
    .addCommand(test);
}

async function listNotifications({ limit, target, state, factory, ...options }: ListOptions): Promise<void> {
  if (factory !== undefined && target === undefined)
    throw new MillraceError("invalid_request", "--factory was given without --target, which it belongs to.", {
      remedy: "Add --target NAME, or omit --factory.",
    });
  const id =
    target === undefined ? undefined : (await findTarget(target, { ...options, ...present({ factory }) })).id;
  const query = {
    ...(id === undefined ? {} : { target: id }),
    ...(state === undefined ? {} : { state: [state] }),
    limit: Math.min(limit, MAX_PAGE),
  };
  const items: Models["Notification"][] = [];
  for await (const notification of connect(options).notifications.list(query)) {
    items.push(notification);
    if (items.length === limit) break;
  }
  if (options.json) return printJson(items);
  if (items.length === 0) return print("There are no notifications.");
  printTable(
    ["WHEN", "EVENT", "TARGET", "STATE", "ATTEMPTS", "SUMMARY", "LAST ERROR"],
    items.map((each) => [
      ago(each.created_at),
      each.event,
      each.target_name ?? each.target,
      each.state,
      String(each.attempts),
      each.summary,
      each.last_error ?? "-",
    ]),
  );
}

async function listTargets(options: ConnectOptions): Promise<void> {
  const targets = await connect(options).notifications.targets({ limit: MAX_PAGE }).toArray();
  if (options.json) return printJson(targets);
  if (targets.length === 0)
    return print(
      "There are no targets. Add `notifications:` to millrace.yaml, or `notify:` to factory.yaml.",
    );
  printTable(
    ["NAME", "FACTORY", "KIND", "ADDRESS", "EVENTS", "STATE", "WAITING", "LAST ERROR"],
    targets.map(({ name, factory, kind, address, events, state, waiting, last_error }) => [
      name,
      factory ?? "-",
      kind,
      address,
      events.join(", "),
      state,
      String(waiting),
      last_error ?? "-",
    ]),
  );
}

async function testTarget(name: string, options: TargetOptions): Promise<void> {
  const target = await findTarget(name, options);
  const sent = await connect(options).notifications.test(target.id);
  if (options.json) printJson(sent);
  else if (sent.state === "sent") print(`Sent a test notification to ${target.name} (${target.address}).`);
  else print(`The test notification was not sent to ${target.name} (${target.address}): ${sent.last_error}.`);
  if (sent.state !== "sent") process.exitCode = 1;
}

/** The only target of a name. @throws MillraceError when there is none, or several */
async function findTarget(name: string, options: TargetOptions): Promise<Models["NotificationTarget"]> {
  const targets = await connect(options).notifications.targets({ limit: MAX_PAGE }).toArray();
  const found = targets.filter(
    (target) =>
      (target.name === name || target.id === name) &&
      [undefined, target.factory, target.factory_uid].includes(options.factory),
  );
  const [only] = found;
  if (only && found.length === 1) return only;
  if (found.length === 0)
    throw new MillraceError("resource_not_found", `There is no notification target "${name}".`, {
      remedy: "`millrace notifications targets` shows the targets that the key can access.",
    });
  const ids = found.map(({ id }) => id).join(", ");
  throw new MillraceError(
    "invalid_request",
    `Several notification targets have the name "${name}": ${ids}.`,
    {
      remedy: "Add --factory, or pass the id of the target.",
    },
  );
}

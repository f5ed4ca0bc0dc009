import { Command } from "commander";
import type { Models } from "../../client/client.ts";
import { MillraceError } from "../../errors/error.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { ago, print, printJson, printTable } from "../output.ts";

interface PauseOptions extends ConnectOptions {
  webhook?: string;
  automation?: string;
  reason?: string;
}

export function pauseCommand(): Command {
  return withScope(
    new Command("pause"),
    "pause the server, a factory, a webhook or an automation: deliveries are recorded and runs wait",
  )
    .option("--reason <text>", "reason shown with the pause")
    .action(pause);
}

export function unpauseCommand(): Command {
  return withScope(new Command("unpause"), "end a pause and start the runs that were waiting").action(
    unpause,
  );
}

export function pausesCommand(): Command {
  return asClientCommand(new Command("pauses"))
    .description("list pauses, with their creation time and creator")
    .action(list);
}

export function holdsCommand(): Command {
  const command = asClientCommand(new Command("holds"))
    .description("list the credentials and models whose runs wait for a limit of their provider")
    .action(listHolds);
  command.addCommand(
    asClientCommand(new Command("list")).description("list the holds (the default)").action(listHolds),
    { isDefault: true },
  );
  command.addCommand(
    asClientCommand(new Command("end"))
      .description("end a hold before its time and start the runs that were waiting")
      .argument("<id>", "the id of the hold, or its beginning")
      .action(endHold),
  );
  return command;
}

async function listHolds(options: ConnectOptions): Promise<void> {
  const { holds } = await connect(options).holds.list();
  if (options.json) return printJson(holds);
  if (holds.length === 0) return print("No provider holds runs.");
  printTable(
    ["ID", "CREDENTIAL", "MODEL", "FACTORY", "UNTIL", "REASON"],
    holds.map(({ id, credential, model, factory, is_shared, until, reason }) => [
      ...[id, credential, model, is_shared ? "all" : (factory ?? "-"), until, reason],
    ]),
  );
}

export function describeHold({ credential, model, until, reason }: Models["Hold"]): string {
  return `Runs with the credential ${credential} and the model ${model} wait until ${until}: ${reason}`;
}

async function endHold(id: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const { holds } = await client.holds.list();
  const [hold, another] = holds.filter((each) => each.id.startsWith(id));
  if (!hold) {
    throw new MillraceError("resource_not_found", `There is no hold "${id}" of a provider.`, {
      remedy: "Run `millrace holds` to list all holds.",
    });
  }
  if (another) {
    throw new MillraceError("invalid_request", `Several holds have an id that begins with "${id}".`, {
      remedy: "Specify more of the id.",
    });
  }
  await client.holds.end(hold.id);
  if (options.json) printJson(hold);
  else print(`Ended the hold of the credential ${hold.credential} and the model ${hold.model}.`);
}

function withScope(command: Command, description: string): Command {
  return asClientCommand(command)
    .description(
      `${description}. Without --factory, --webhook or --automation, the command applies to the whole server`,
    )
    .option("--factory <name>", "the factory, or the factory of the webhook or automation")
    .option("--webhook <name>", "runs started by deliveries to this webhook")
    .option("--automation <name>", "runs of this automation");
}

async function pause({ reason, ...options }: PauseOptions): Promise<void> {
  const body = { ...scopeOf(options), ...(reason === undefined ? {} : { reason }) };
  const created = await connect(options).pauses.create(body);
  if (options.json) return printJson(created);
  print(`Paused ${pausedThing(created)}: deliveries are recorded and runs wait.`);
  print(`Run \`millrace unpause${flagsOf(created)}\` to start them.`);
}

async function unpause(options: PauseOptions): Promise<void> {
  const client = connect(options);
  const pauses = await client.pauses.list({ limit: 500 }).toArray();
  const found = onlyOne(
    pauses.filter((each) => isAskedFor(each, options)),
    options,
  );
  await client.pauses.end(found.id);
  if (options.json) printJson(found);
  else print(`Ended the pause of ${pausedThing(found)}.`);
}

async function list(options: ConnectOptions): Promise<void> {
  const pauses = await connect(options).pauses.list({ limit: 500 }).toArray();
  if (options.json) return printJson(pauses);
  if (pauses.length === 0) return print("Nothing is paused.");
  printTable(
    ["PAUSED", "SINCE", "BY", "REASON"],
    pauses.map((pause) => [
      pausedThing(pause),
      ago(pause.created_at),
      pause.created_by.display_name ?? "-",
      pause.reason ?? "-",
    ]),
  );
}

function scopeOf({ factory, webhook, automation }: PauseOptions): Models["NewPause"] {
  return {
    ...(factory === undefined ? {} : { factory }),
    ...(webhook === undefined ? {} : { webhook }),
    ...(automation === undefined ? {} : { automation }),
  };
}

function isAskedFor(pause: Models["Pause"], { factory, webhook, automation }: PauseOptions): boolean {
  const isOfFactory = factory === undefined || factory === pause.factory || factory === pause.factory_uid;
  if (webhook !== undefined)
    return isOfFactory && pause.scope === "webhook" && isNamed(webhook, pause.webhook, pause.webhook_uid);
  if (automation !== undefined)
    return (
      isOfFactory &&
      pause.scope === "automation" &&
      isNamed(automation, pause.automation, pause.automation_id)
    );
  return factory === undefined ? pause.scope === "server" : isOfFactory && pause.scope === "factory";
}

function isNamed(wanted: string, name: string | null, uid: string | null): boolean {
  return wanted === name || wanted === uid;
}

/** @throws MillraceError `resource_not_found` when nothing of it is paused; `invalid_request` when several are */
function onlyOne(found: readonly Models["Pause"][], options: PauseOptions): Models["Pause"] {
  const [only, another] = found;
  if (only && !another) return only;
  const named = options.webhook ?? options.automation ?? options.factory;
  if (only) {
    throw new MillraceError("invalid_request", `"${named}" is paused in several factories.`, {
      remedy: "Specify the factory with --factory.",
    });
  }
  const thing = named === undefined ? "The server" : `"${named}"`;
  throw new MillraceError("resource_not_found", `${thing} is not paused.`, {
    remedy: "Run `millrace pauses` to list all pauses.",
  });
}

/** The options that name the same thing again. */
function flagsOf({ factory, webhook, automation }: Models["Pause"]): string {
  const flags = { factory, webhook, automation };
  return Object.entries(flags)
    .filter(([, value]) => value !== null)
    .map(([flag, value]) => ` --${flag} ${value}`)
    .join("");
}

/** What a pause holds, as a command names it: `webhook "ci" of factory "shop"`. */
function pausedThing({ scope, factory, webhook, automation }: Models["Pause"]): string {
  if (scope === "server") return "the server";
  if (scope === "factory") return `factory "${factory}"`;
  return `${scope} "${webhook ?? automation}" of factory "${factory}"`;
}

/** `Paused: the server, 5m ago by ada (deploying)`. */
export function describePause(pause: Models["Pause"]): string {
  const { reason, created_at, created_by } = pause;
  const by = created_by.display_name ? ` by ${created_by.display_name}` : "";
  return `Paused: ${pausedThing(pause)}, ${ago(created_at)}${by}${reason === null ? "" : ` (${reason})`}`;
}

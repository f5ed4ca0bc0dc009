import { Command } from "commander";
import type { Models } from "../client/client.ts";
import { counted } from "../counted.ts";
import { inShell } from "../in-shell.ts";
import { confirm } from "./confirm.ts";
import { asClientCommand, type ConnectOptions, connect } from "./connect.ts";
import { EXIT_CODES } from "./exit-code.ts";
import { print, printError, printJson, printTable } from "./output.ts";
import { short } from "./status.ts";

export function factoriesCommand(): Command {
  const factories = new Command("factories").description("definitions with their sources");
  asClientCommand(factories.command("list").description("list the factories that the key reaches")).action(
    list,
  );
  asClientCommand(
    factories
      .command("create <name>")
      .description("make a factory whose definition millrace keeps, with a history of its own"),
  ).action(create);
  asClientCommand(
    factories
      .command("delete <name>")
      .description("delete a factory with its webhooks, automations and waiting runs; shows them, and asks"),
  )
    .option("--yes", "do not ask")
    .action(remove);
  return factories;
}

async function list(options: ConnectOptions): Promise<void> {
  const factories = await connect(options).factories.list({ limit: 500 }).toArray();
  if (options.json) return printJson(factories);
  if (factories.length === 0) return print("There are no factories that this key reaches.");
  printTable(
    ["NAME", "MODE", "STATUS", "IN FORCE"],
    factories.map(({ name, mode, sync: { status, applied_revision: applied } }) => [
      name,
      mode,
      status,
      applied === null ? "-" : short(applied),
    ]),
  );
}

async function create(name: string, options: ConnectOptions): Promise<void> {
  const factory = await connect(options).factories.create(name);
  if (options.json) return printJson(factory);
  print(`The factory "${factory.name}" is there.`);
  if (factory.warning !== undefined) printError(`Warning: ${factory.warning}.`);
  printError(
    `Add to it: \`millrace webhooks create NAME --factory ${inShell(factory.name)}\`, \`millrace import DIR\`.`,
  );
}

async function remove(name: string, options: ConnectOptions & { yes?: boolean }): Promise<void> {
  const client = connect(options);
  const deletion = await client.factories.deletion(name);
  const { factory, refusal } = deletion;
  // The refusal comes from the server, with what to do.
  if (refusal !== null) return client.factories.delete(factory.uid);
  const show = options.json ? printError : print;
  for (const line of deletionLines(deletion)) show(line);
  if (!(await confirm(`Delete the factory "${factory.name}"?`, options))) {
    process.exitCode = EXIT_CODES.no;
    return;
  }
  await client.factories.delete(factory.uid);
  if (options.json) return printJson(deletion);
  print(`The factory "${factory.name}" is deleted.`);
}

function deletionLines(deletion: Models["FactoryDeletion"]): string[] {
  const { factory, webhooks, automations, waiting_runs, working_runs, schedules } = deletion;
  const kept =
    factory.mode === "managed"
      ? `\`millrace export ${inShell(factory.name)}\` saves its definition, which is nowhere else.`
      : `Its definition stays in ${factory.source.url ?? factory.source.path}.`;
  return [
    `To delete the factory "${factory.name}" takes away its history and`,
    ...webhooks.map(({ name, url }) => `  - webhook ${name}: ${url} answers 404`),
    ...automations.map(({ name }) => `  - automation ${name}`),
    ...(waiting_runs > 0
      ? [`  - ${counted(waiting_runs, "run that waits", "runs that wait")}: cancelled`]
      : []),
    ...(working_runs > 0
      ? [`  - ${counted(working_runs, "run that works", "runs that work")}: cancelled`]
      : []),
    ...(schedules > 0 ? [`  - ${counted(schedules, "schedule")} of the API`] : []),
    `Runs that have ended, deliveries and secrets stay. ${kept}`,
  ];
}

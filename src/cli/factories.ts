import { Command } from "commander";
import { asClientCommand, type ConnectOptions, connect } from "./connect.ts";
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
    `Add to it: \`millrace webhooks create NAME --factory ${factory.name}\`, \`millrace import DIR\`.`,
  );
}

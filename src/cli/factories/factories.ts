import { Command } from "commander";
import type { Models } from "../../client/client.ts";
import { inShell, MillraceError } from "../../errors/error.ts";
import { pluralize } from "../../pluralize.ts";
import { effectOfRest, remedyOfRest } from "../../reconcile/resting.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { confirm } from "../input.ts";
import { print, printError, printJson, printTable } from "../output.ts";
import { short } from "./status.ts";

export function factoriesCommand(): Command {
  const factories = new Command("factories").description("manage factories");
  asClientCommand(
    factories.command("list").description("list the factories that the API key can access"),
  ).action(list);
  asClientCommand(
    factories
      .command("create <name>")
      .description("create a factory with a managed definition (stored by millrace, with its own history)"),
  ).action(create);
  asClientCommand(
    factories
      .command("delete <name>")
      .description(
        "delete a factory with its webhooks, automations and waiting runs; lists them and asks for confirmation",
      ),
  )
    .option("--yes", "skip the confirmation")
    .action(remove);
  return factories;
}

async function list(options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factories = await client.factories.list({ limit: 500 }).toArray();
  const resting = await client.factories.resting();
  if (options.json) printJson(factories);
  else if (factories.length + resting.length === 0)
    print("There are no factories that this API key can access.");
  else {
    printTable(
      ["NAME", "MODE", "STATUS", "APPLIED"],
      [
        ...factories.map(({ name, mode, sync: { status, applied_revision: applied } }) => [
          name,
          mode,
          status,
          applied === null ? "-" : short(applied),
        ]),
        ...resting.map(({ name, mode }) => [name, mode, "resting", "-"]),
      ],
    );
  }
  for (const factory of resting) printError(restText(factory));
}

function restText({ webhooks, waiting_runs: waitingRuns, ...factory }: Models["RestingFactory"]): string {
  const effect = effectOfRest({ webhooks, waitingRuns });
  return `Factory "${factory.name}" is resting: its source is not configured. ${effect} ${remedyOfRest(factory)}`;
}

async function create(name: string, options: ConnectOptions): Promise<void> {
  const factory = await connect(options).factories.create(name);
  if (options.json) return printJson(factory);
  print(`Created factory "${factory.name}".`);
  if (factory.warning !== undefined) printError(`Warning: ${factory.warning}.`);
  printError(
    `Next: \`millrace webhooks create NAME --factory ${inShell(factory.name)}\` or \`millrace import DIR\`.`,
  );
}

async function remove(name: string, options: ConnectOptions & { yes?: boolean }): Promise<void> {
  const client = connect(options);
  const deletion = await client.factories.deletion(name);
  const { factory, refusal } = deletion;
  if (refusal !== null) throw new MillraceError("conflict", refusal, { retryable: false });
  const show = options.json ? printError : print;
  for (const line of deletionLines(deletion)) show(line);
  if (!(await confirm(`Delete factory "${factory.name}"?`, options))) {
    process.exitCode = EXIT_CODES.no;
    return;
  }
  await client.factories.delete(factory.uid);
  if (options.json) return printJson(deletion);
  print(`Deleted factory "${factory.name}".`);
}

function deletionLines(deletion: Models["FactoryDeletion"]): string[] {
  const { factory, webhooks, automations, waiting_runs, working_runs, schedules } = deletion;
  const kept =
    factory.mode === "managed"
      ? `Its definition is stored nowhere else: save it first with \`millrace export ${inShell(factory.name)}\`.`
      : `Its definition remains in ${factory.source.url ?? factory.source.path}.`;
  return [
    `Deleting factory "${factory.name}" removes its history and:`,
    ...webhooks.map(({ name, url }) => `  - webhook ${name}: ${url} will return 404`),
    ...automations.map(({ name }) => `  - automation ${name}`),
    ...(waiting_runs > 0 ? [`  - ${pluralize(waiting_runs, "queued run")}: cancelled`] : []),
    ...(working_runs > 0 ? [`  - ${pluralize(working_runs, "running run")}: cancelled`] : []),
    ...(schedules > 0 ? [`  - ${pluralize(schedules, "schedule")} created through the API`] : []),
    `Ended runs, deliveries and secrets are not deleted. ${kept}`,
  ];
}

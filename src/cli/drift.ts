import { Command } from "commander";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "./connect.ts";
import { EXIT_CODES } from "./exit-code.ts";
import { print, printJson } from "./output.ts";
import { short } from "./status.ts";

export function driftCommand(): Command {
  return asClientCommand(new Command("drift").argument("[factory]"), { ofFactory: true })
    .description("hold what is stored against the revision in force; ends with 1 when they differ")
    .action(drift);
}

async function drift(named: string | undefined, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options, named);
  const found = await client.factories.drift(factory);
  if (!found.in_sync) process.exitCode = EXIT_CODES.no;
  if (options.json) return printJson(found);
  if (found.in_sync) return print(`What is stored is what ${short(found.revision)} says.`);
  print(`What is stored is not what ${short(found.revision)} says. To be so, it would have to`);
  for (const { action, kind, name, fields } of found.changes) {
    print(
      `  ${action} ${[kind, name].join(" ").trim()}${fields.length > 0 ? ` (${fields.join(", ")})` : ""}`,
    );
  }
  for (const name of found.without_credential) print(`  take the credential of webhook ${name} anew`);
  print("The next start of the server does that.");
}

import { Command } from "commander";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { print, printJson } from "../output.ts";
import { short } from "../server/status.ts";

export function driftCommand(): Command {
  return asClientCommand(new Command("drift").argument("[factory]"), { ofFactory: true })
    .description("compare the stored state with the applied revision; exits with 1 if they differ")
    .action(drift);
}

async function drift(named: string | undefined, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options, named);
  const found = await client.factories.drift(factory);
  if (!found.in_sync) process.exitCode = EXIT_CODES.no;
  if (options.json) return printJson(found);
  if (found.in_sync) return print(`The stored state matches revision ${short(found.revision)}.`);
  print(`The stored state differs from revision ${short(found.revision)}. To match it, millrace would:`);
  for (const { action, kind, name, fields } of found.changes) {
    print(
      `  ${action} ${[kind, name].join(" ").trim()}${fields.length > 0 ? ` (${fields.join(", ")})` : ""}`,
    );
  }
  for (const name of found.without_credential) print(`  read the credential of webhook ${name} again`);
  print("Restart the server to apply these changes.");
}

import { Command } from "commander";
import { MillraceError } from "../error.ts";
import { asClientCommand, type ConnectOptions, connect } from "./connect.ts";
import { readText, withoutLineEnd } from "./input.ts";
import { ago, print, printJson, printTable } from "./output.ts";
import { whatFollows } from "./secret-effects.ts";

interface SetOptions extends ConnectOptions {
  valueFile?: string;
}

export function secretsCommand(): Command {
  const secrets = new Command("secrets").description(
    "values that definitions name and nobody can read again",
  );
  asClientCommand(secrets.command("set <name>").description("give a secret its value, from standard input"), {
    reads: false,
  })
    .option("--value-file <file>", "take the value from a file instead")
    .action(set);
  asClientCommand(secrets.command("list").description("list the names of secrets")).action(list);
  asClientCommand(secrets.command("delete <name>").description("delete a secret that no definition uses"), {
    reads: false,
  }).action(remove);
  return secrets;
}

async function set(name: string, options: SetOptions): Promise<void> {
  const client = connect(options);
  const value = withoutLineEnd(await readText(options.valueFile ?? "-", "value"));
  if (value === "") {
    const place = options.valueFile === undefined ? "on standard input" : `in ${options.valueFile}`;
    throw new MillraceError("invalid_request", `There is no value ${place}.`, {
      remedy: `Pipe it in: \`printf %s "$VALUE" | millrace secrets set ${name}\`, or use --value-file.`,
    });
  }
  await client.secrets.set(name, value);
  print(`${name} is set.`);
  print("Runs that are granted it get this value from now on.");
  // The value is set, also when what follows from it cannot be told.
  for (const line of await whatFollows(client, name).catch(() => [])) print(line);
}

async function list(options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const secrets = await client.secrets.list({ limit: 500 }).toArray();
  if (options.json) printJson(secrets);
  else if (secrets.length === 0) print("There are no secrets. Set one: millrace secrets set NAME");
  else
    printTable(
      ["NAME", "UPDATED"],
      secrets.map(({ name, updated_at }) => [name, ago(updated_at)]),
    );
}

async function remove(name: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  await client.secrets.delete(name);
  print(`${name} is deleted.`);
}

import { Command, Option } from "commander";
import type { Models } from "../client/client.ts";
import { MillraceError } from "../error.ts";
import { asClientCommand, type ConnectOptions, connect } from "./connect.ts";
import { readText, withoutLineEnd } from "./input.ts";
import { ago, print, printJson, printTable } from "./output.ts";
import { whatFollows } from "./secret-effects.ts";

interface SetOptions extends Omit<ConnectOptions, "factory"> {
  valueFile?: string;
  keepValue?: boolean;
  /** False for --no-factory. */
  factory?: string[] | false;
  shared?: boolean;
}

export function secretsCommand(): Command {
  const secrets = new Command("secrets").description(
    "values that definitions name and nobody can read again",
  );
  asClientCommand(secrets.command("set <name>").description("give a secret its value, from standard input"), {
    reads: false,
  })
    .option("--value-file <file>", "take the value from a file instead")
    .option("--factory <names...>", "let these factories use it, and no others")
    .option("--no-factory", "let no factory use it: a credential that millrace.yaml names")
    .addOption(new Option("--shared", "let every factory use it").conflicts("factory"))
    .addOption(
      new Option("--keep-value", "change who may use a secret that is there, and not its value").conflicts(
        "valueFile",
      ),
    )
    .action(set);
  asClientCommand(secrets.command("list").description("list secrets, and who may use them")).action(list);
  asClientCommand(secrets.command("delete <name>").description("delete a secret that no definition uses"), {
    reads: false,
  }).action(remove);
  return secrets;
}

async function set(name: string, options: SetOptions): Promise<void> {
  const client = connect(options);
  const value = options.keepValue ? undefined : await readValue(name, options);
  const set = await client.secrets.set(name, {
    ...(value === undefined ? {} : { value }),
    ...scopeIn(options),
  });
  print(`${name} ${value === undefined ? "is kept" : "is set"}: ${whoMayUse(set)}.`);
  if (value !== undefined) print("Runs that are granted it get this value from now on.");
  // The value is set, also when what follows from it cannot be told.
  for (const line of await whatFollows(client, name).catch(() => [])) print(line);
}

async function readValue(name: string, { valueFile }: SetOptions): Promise<string> {
  const value = withoutLineEnd(await readText(valueFile ?? "-", "value"));
  if (value !== "") return value;
  const place = valueFile === undefined ? "on standard input" : `in ${valueFile}`;
  throw new MillraceError("invalid_request", `There is no value ${place}.`, {
    remedy: `Pipe it in: \`printf %s "$VALUE" | millrace secrets set ${name}\`, or use --value-file.`,
  });
}

function scopeIn({ factory, shared }: SetOptions): Partial<Models["SecretValue"]> {
  if (shared) return { shared: true };
  if (factory === false) return { factories: [] };
  return Array.isArray(factory) ? { factories: factory } : {};
}

function whoMayUse({ shared, factories, of_server }: Models["Secret"]): string {
  if (shared) return "every factory may use it";
  if (factories.length > 0) return `${factories.join(" and ")} may use it`;
  return of_server ? "the server alone uses it" : "no factory may use it";
}

async function list(options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const secrets = await client.secrets.list({ limit: 500 }).toArray();
  if (options.json) printJson(secrets);
  else if (secrets.length === 0) print("There are no secrets. Set one: millrace secrets set NAME");
  else
    printTable(
      ["NAME", "FACTORIES", "UPDATED"],
      secrets.map((secret) => [secret.name, usersOf(secret), ago(secret.updated_at)]),
    );
}

function usersOf({ shared, factories, of_server }: Models["Secret"]): string {
  if (shared) return "all";
  return factories.length > 0 ? factories.join(", ") : of_server ? "the server" : "none";
}

async function remove(name: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  await client.secrets.delete(name);
  print(`${name} is deleted.`);
}

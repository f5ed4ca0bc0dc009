import { Command, Option } from "commander";
import type { Models } from "../../client/client.ts";
import { MillraceError } from "../../errors/error.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { withoutLineEnd } from "../input.ts";
import { ago, print, printJson, printTable } from "../output.ts";
import { readSecretText } from "../secret-input.ts";
import { factoriesWithout, whatFollows } from "./secret-effects.ts";

interface SetOptions extends Omit<ConnectOptions, "factory"> {
  valueFile?: string;
  keepValue?: boolean;
  /** False for --no-factory. */
  factory?: string[] | false;
  shared?: boolean;
}

export function secretsCommand(): Command {
  const secrets = new Command("secrets").description("manage secrets (write-only)");
  asClientCommand(
    secrets.command("set <name>").description("set the value of a secret, read from standard input"),
    {
      reads: false,
    },
  )
    .option("--value-file <file>", "read the value from a file instead")
    .option("--factory <names...>", "allow only these factories to use the secret")
    .option(
      "--no-factory",
      "allow no factory to use the secret (for credentials referenced in millrace.yaml)",
    )
    .addOption(new Option("--shared", "allow all factories to use the secret").conflicts("factory"))
    .addOption(
      new Option(
        "--keep-value",
        "change who may use an existing secret without changing its value",
      ).conflicts("valueFile"),
    )
    .action(set);
  asClientCommand(secrets.command("list").description("list secrets and who may use them")).action(list);
  asClientCommand(secrets.command("delete <name>").description("delete a secret that no definition uses"), {
    reads: false,
  }).action(remove);
  return secrets;
}

async function set(name: string, options: SetOptions): Promise<void> {
  const client = connect(options);
  const value = options.keepValue ? undefined : await readValue(name, options);
  // A definition can be in force before this command asks again.
  const waited = await factoriesWithout(client, name).catch(() => new Set<string>());
  const set = await client.secrets.set(name, {
    ...(value === undefined ? {} : { value }),
    ...scopeIn(options),
  });
  print(`${value === undefined ? "Updated access to" : "Set"} secret ${name}: ${whoMayUse(set)}.`);
  if (value !== undefined)
    print("Runs and outbound webhooks that use the secret get this value from now on.");
  // The value is set, also when what follows from it cannot be told.
  for (const line of await whatFollows(client, name, waited).catch(() => [])) print(line);
}

async function readValue(name: string, { valueFile }: SetOptions): Promise<string> {
  const value = withoutLineEnd(await readSecretText(valueFile ?? "-", "value"));
  if (value !== "") return value;
  const place = valueFile === undefined ? "on standard input" : `in ${valueFile}`;
  throw new MillraceError("invalid_request", `The value ${place} is empty.`, {
    remedy: `Pipe it in: \`printf %s "$VALUE" | millrace secrets set ${name}\`, or use --value-file.`,
  });
}

function scopeIn({ factory, shared }: SetOptions): Partial<Models["SecretValue"]> {
  if (shared) return { shared: true };
  if (factory === false) return { factories: [] };
  return Array.isArray(factory) ? { factories: factory } : {};
}

function whoMayUse({ shared, factories, of_server }: Models["Secret"]): string {
  if (shared) return "all factories may use it";
  if (factories.length > 0) return `${factories.join(" and ")} may use it`;
  return of_server ? "only the server uses it" : "no factory may use it";
}

async function list(options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const secrets = await client.secrets.list({ limit: 500 }).toArray();
  if (options.json) printJson(secrets);
  else if (secrets.length === 0) print("There are no secrets. Set one: millrace secrets set NAME");
  else
    printTable(
      ["NAME", "FACTORIES", "UPDATED", "USED BY"],
      secrets.map((secret) => [secret.name, scopeText(secret), ago(secret.updated_at), usersText(secret)]),
      { isCut: true },
    );
}

/** What uses it, by kind and name. A server of an earlier version does not tell. */
function usersText({ used_by }: Partial<Models["Secret"]>): string {
  if (!used_by || used_by.length === 0) return "-";
  return used_by
    .map(({ kind, name, factory }) => (factory === null ? `${kind} ${name}` : `${kind} ${factory}/${name}`))
    .join(", ");
}

function scopeText({ shared, factories, of_server }: Models["Secret"]): string {
  if (shared) return "all";
  return factories.length > 0 ? factories.join(", ") : of_server ? "the server" : "none";
}

async function remove(name: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  await client.secrets.delete(name);
  print(`Deleted secret ${name}.`);
}

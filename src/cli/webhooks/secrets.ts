import { Command, Option } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { inShell, MillraceError } from "../../errors/error.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { readSecretText, withoutLineEnd } from "../input.ts";
import { ago, print, printJson, printTable } from "../output.ts";

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

/**
 * What the new value of a secret means for those that use it, in sentences: which webhooks go on with the old value until
 * when, and which factories try again what they could not apply.
 * @param waitedBefore the factories that were without it before it was set: they may have it in force by now
 */
async function whatFollows(
  client: Millrace,
  secretName: string,
  waitedBefore: ReadonlySet<string>,
): Promise<string[]> {
  const factories = await client.factories.list({ limit: 500 }).toArray();
  const lines = await Promise.all(
    factories.map((factory) => linesOf(client, factory, secretName, waitedBefore)),
  );
  return lines.flat();
}

/** The uids of the factories whose last attempt failed for want of a secret. */
async function factoriesWithout(client: Millrace, secretName: string): Promise<Set<string>> {
  const factories = await client.factories.list({ limit: 500 }).toArray();
  return new Set(factories.filter(({ sync }) => lacks(sync, secretName)).map(({ uid }) => uid));
}

function lacks({ status, problems }: Models["Factory"]["sync"], secretName: string): boolean {
  return status === "failed" && problems.some(({ message }) => message.includes(`"${secretName}"`));
}

async function linesOf(
  client: Millrace,
  { uid, name, mode, sync }: Models["Factory"],
  secretName: string,
  waitedBefore: ReadonlySet<string>,
): Promise<string[]> {
  // By its uid: a factory that is applied for the first time in the meantime gets another name.
  const webhooks = await client.webhooks.list(uid, { limit: 500 }).toArray();
  const waiting = webhooks.filter(
    (webhook) => webhook.secret_name === secretName && webhook.has_newer_secret,
  );
  const lines = waiting.length === 0 ? [] : [`${name}: ${waits(waiting, mode, name)}`];
  if (sync.status === "suspended") return lines;
  if (waitedBefore.has(uid) || lacks(sync, secretName)) {
    // The first definition that is applied may name the factory otherwise.
    const lasting = sync.applied_revision === null ? uid : name;
    lines.push(
      `${name}: the revision that could not be applied without the secret is being retried. Run \`millrace status ${inShell(lasting)}\` for the result.`,
    );
  }
  return lines;
}

function waits(webhooks: readonly Models["Webhook"][], mode: Models["Factory"]["mode"], factory: string) {
  const names = webhooks.map(({ name }) => name).join(", ");
  const [take, webhook] = webhooks.length === 1 ? ["uses", "webhook"] : ["use", "webhooks"];
  return `${webhook} ${names} ${take} the new value ${WHEN_TAKEN[mode](factory)}, and the previous value until then.`;
}

const WHEN_TAKEN: Record<Models["Factory"]["mode"], (factory: string) => string> = {
  repository: () => "after the next commit on the production branch (an empty commit is enough)",
  folder: (factory) => `after \`millrace sync ${factory}\``,
  managed: () => "after the next change of the definition",
};

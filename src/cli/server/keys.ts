import { Command, Option } from "commander";
import type { Models } from "../../client/client.ts";
import { MillraceError } from "../../errors/error.ts";
import { KEY_KINDS, type KeyKind, ROLES, type Role } from "../../principals/principal.ts";
import { expiry, present } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { ago, print, printError, printJson, printTable } from "../output.ts";
import { addDataOptions, type DataOptions, dataSettings } from "../settings.ts";

interface CreateOptions extends Omit<ConnectOptions, "factory">, LocalOptions {
  name: string;
  kind: KeyKind;
  role: Role;
  factory?: string[];
  expires?: string;
  idempotencyKey?: string;
}

export function keysCommand(): Command {
  const keys = new Command("keys").description(
    "manage API keys of people and agents, and the key of identity tokens",
  );
  const creating = asClientCommand(
    keys.command("create").description("create an API key; the key is printed once"),
  )
    .requiredOption("--name <name>", "name of the person or agent that uses the key (required)")
    .addOption(
      new Option("--kind <kind>", "kind of principal that runs are attributed to")
        .choices(KEY_KINDS)
        .default("personal"),
    )
    .addOption(new Option("--role <role>", "role of the key").choices(ROLES).default("viewer"))
    .option("--factory <names...>", "restrict the key to these factories")
    .option("--expires <when>", "expiry: a duration such as 30d, or a timestamp (default: never)", expiry)
    .addOption(
      new Option(
        "--idempotency-key <key>",
        "idempotency key: for a minute, retries with the same key print the same API key",
      ).conflicts("local"),
    );
  withLocalOptions(creating).action(create);
  asClientCommand(keys.command("list").description("list API keys")).action(list);
  asClientCommand(keys.command("revoke <id>").description("revoke an API key immediately"), {
    reads: false,
  }).action(revoke);
  asClientCommand(
    keys.command("replace-identity").description("replace the key that signs the identity tokens of runs"),
  )
    .option(
      "--revoke",
      "also remove the previous keys, so that no token that they signed is accepted any more",
    )
    .action(replaceIdentity);
  return keys;
}

async function create(options: CreateOptions): Promise<void> {
  const created = options.local ? await createLocally(options) : await createOnServer(options);
  if (options.json) return printJson(created);
  print(created.key);
  printError(`This is the only time that key ${created.id} is shown.`);
}

async function createOnServer(asked: CreateOptions) {
  const { name, kind, role, factory, expires, idempotencyKey, ...options } = asked;
  refuseLocalOptions(options);
  const client = connect(options);
  const body = {
    name,
    kind,
    role,
    ...(factory ? { factories: factory } : {}),
    ...(expires ? { expires_at: expires } : {}),
  };
  return client.apiKeys.create(body, present({ idempotencyKey }));
}

async function replaceIdentity({ revoke = false, ...options }: ConnectOptions & { revoke?: boolean }) {
  const made = await connect(options).apiKeys.replaceIdentityKey({ revoke });
  if (options.json) return printJson(made);
  print(`Key ${made.key_id} signs the identity tokens of runs from now on.`);
}

async function list(options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const keys = await client.apiKeys.list({ limit: 500 }).toArray();
  if (options.json) return printJson(keys);
  printTable(
    ["ID", "NAME", "KIND", "ROLE", "FACTORIES", "KEY", "LAST USED", "STATUS"],
    keys.map((key) => [
      key.id,
      key.name,
      key.kind,
      key.role,
      key.factories?.join(", ") ?? "all",
      `${key.prefix}…`,
      ago(key.last_used_at),
      statusOf(key),
    ]),
  );
}

function statusOf({ revoked_at, expires_at }: Models["ApiKey"]): string {
  if (revoked_at) return `revoked ${ago(revoked_at)}`;
  if (expires_at && Date.parse(expires_at) < Date.now()) return `expired ${ago(expires_at)}`;
  return expires_at ? `active until ${expires_at}` : "active";
}

async function revoke(id: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const keys = await client.apiKeys.list({ limit: 500 }).toArray();
  await client.apiKeys.revoke(id);
  print(`Revoked key ${id}.`);
  if (keys.find((key) => key.id === id)?.from_settings)
    printError(
      "This key is set as MILLRACE_ADMIN_KEY on the server. It stays revoked after a restart: set MILLRACE_ADMIN_KEY to another value, or remove it.",
    );
}

interface LocalOptions extends DataOptions {
  local?: boolean;
}

interface LocalKey extends LocalOptions {
  name: string;
  kind: KeyKind;
  role: Role;
  factory?: string[];
  expires?: string;
}

/** Gives a command the option to work on the data folder, and those that say which one, as `serve` has them. */
function withLocalOptions(command: Command): Command {
  command.addOption(
    new Option(
      "--local",
      "create the key directly in the data folder, without a server or another key",
    ).conflicts("server"),
  );
  return addDataOptions(command, "with --local: ");
}

/** A key for another server than was meant would be made otherwise. @throws MillraceError `invalid_request` */
function refuseLocalOptions({ config, dataDir, databaseUrl }: LocalOptions): void {
  if (config === undefined && dataDir === undefined && databaseUrl === undefined) return;
  throw new MillraceError("invalid_request", "--data-dir, --database-url and --config require --local.", {
    remedy: "Add --local, or omit these options to create the key through a server.",
  });
}

/** @returns the key with its value, in the shape that the API has */
async function createLocally(options: LocalKey): Promise<{ id: string; key: string }> {
  const { name, kind, role, factory = null, expires } = options;
  // Every other command starts without loading the database.
  const { createLocalKey } = await import("../../admin/local-keys.ts");
  const request = { name, kind, role, factories: factory, ...(expires ? { expiresAt: expires } : {}) };
  const { key, value } = await createLocalKey(request, await dataSettings(options));
  return { id: key.id, key: value };
}

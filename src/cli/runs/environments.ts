import { Command } from "commander";
import { ifMatch } from "../../client/api.ts";
import type { Millrace, Models } from "../../client/client.ts";
import { MillraceError } from "../../errors/error.ts";
import { repository } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect, etagOf } from "../connect.ts";
import { readJsonObject } from "../input.ts";
import { ago, print, printError, printFields, printJson, printTable } from "../output.ts";

type Config = Models["CloudEnvironmentConfig"];

interface ConfigOptions extends ConnectOptions {
  file?: string;
  name?: string;
  description?: string;
  image?: string;
  repo?: Models["GitHubRepo"][];
  setup?: string[];
  cacheSetup?: boolean;
  secret?: string[];
}

export function environmentsCommand(): Command {
  const environments = new Command("environments").description("manage environments");
  asClientCommand(environments.command("list").description("list environments, sorted by name")).action(list);
  asClientCommand(
    environments.command("show <name>").description("show an environment, by name or UID"),
  ).action(show);
  withConfigOptions(environments.command("create").description("create an environment")).action(create);
  withConfigOptions(
    environments.command("update <name>").description("update the given fields of an environment"),
  ).action(update);
  asClientCommand(environments.command("delete <name>").description("delete an environment"), {
    reads: false,
  }).action(remove);
  return environments;
}

function withConfigOptions(command: Command): Command {
  return asClientCommand(command)
    .option(
      "--file <file>",
      "read the environment from a JSON file in the API's format (- for standard input); other options take precedence",
    )
    .option("--name <name>", "name of the environment")
    .option("--description <text>", "description of the environment")
    .option("--image <image>", "container image for runs")
    .option("--repo <owner/name...>", "repositories to clone", repository)
    .option("--setup <command...>", "shell commands that prepare the environment, executed in order")
    .option("--cache-setup", "store what the setup commands make for later runs, also if they have secrets")
    .option("--no-cache-setup", "execute the setup commands for every workspace")
    .option("--secret <name...>", "secrets to expose");
}

async function list(options: ConnectOptions): Promise<void> {
  const environments = await listEnvironments(connect(options));
  if (options.json) printJson(environments);
  else if (environments.length === 0)
    print("There are no environments. Create one: millrace environments create --name NAME");
  else {
    printTable(
      ["NAME", "UID", "UPDATED", "IMAGE", "REPOSITORIES"],
      environments.map(({ uid, config, last_updated }) => [
        config.name,
        uid,
        ago(last_updated),
        config.docker_image ?? "-",
        repositoriesOf(config).join(", ") || "-",
      ]),
    );
  }
}

async function show(name: string, options: ConnectOptions): Promise<void> {
  const environment = await findEnvironment(connect(options), name);
  if (options.json) return printJson(environment);
  const { uid, config, creator, last_editor, last_updated, missing_secrets } = environment;
  const missing = new Set(missing_secrets);
  printFields({
    name: config.name,
    uid,
    description: config.description,
    image: config.docker_image,
    repositories: listed(repositoriesOf(config)),
    setup: listed(config.setup_commands ?? []),
    ...(config.cache_setup === undefined
      ? {}
      : { "setup is stored": config.cache_setup ? "always" : "never" }),
    secrets: listed(
      (config.secrets ?? []).map(({ name }) => (missing.has(name) ? `${name} (does not exist)` : name)),
    ),
    "created by": creator.display_name,
    updated: `${ago(last_updated)} by ${last_editor.display_name}`,
  });
}

async function create(options: ConfigOptions): Promise<void> {
  const client = connect(options);
  const body = await configFrom(options);
  if (body.name === undefined) {
    throw new MillraceError("invalid_request", "An environment requires a name.", {
      remedy: "Specify it with --name, or as name in --file.",
    });
  }
  const created = await client.environments.create(body as Config);
  if (options.json) printJson(created);
  else print(created.uid);
  warnOfMissingSecrets(created);
}

/**
 * The API replaces a configuration as a whole, so what is not given is taken from the present one: a change that someone
 * else makes in the meantime is not undone, but refuses this one.
 */
async function update(name: string, options: ConfigOptions): Promise<void> {
  const client = connect(options);
  const { uid } = await findEnvironment(client, name);
  const { data: present, response } = await client.environments.get(uid).withResponse();
  const body = { ...present.config, ...(await configFrom(options)) };
  const updated = await client.environments.update(uid, body, ifMatch(etagOf(response), {}));
  if (options.json) printJson(updated);
  else print(`Updated environment ${updated.config.name}.`);
  warnOfMissingSecrets(updated);
}

async function remove(name: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const { uid, config } = await findEnvironment(client, name);
  await client.environments.delete(uid);
  print(`Deleted environment ${config.name}.`);
}

function warnOfMissingSecrets({ missing_secrets = [] }: Models["CloudEnvironment"]): void {
  for (const name of missing_secrets) {
    printError(
      `Secret "${name}" does not exist, so runs start without it. Set it with \`millrace secrets set ${name}\`.`,
    );
  }
}

async function configFrom({
  file,
  name,
  description,
  image,
  repo,
  setup,
  cacheSetup,
  secret,
}: ConfigOptions): Promise<Partial<Config>> {
  return {
    ...(file === undefined ? {} : await readJsonObject(file)),
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(image === undefined ? {} : { docker_image: image }),
    ...(repo === undefined ? {} : { github_repos: repo }),
    ...(setup === undefined ? {} : { setup_commands: setup }),
    ...(cacheSetup === undefined ? {} : { cache_setup: cacheSetup }),
    ...(secret === undefined ? {} : { secrets: secret.map((name) => ({ name })) }),
  };
}

function listEnvironments(client: Millrace): Promise<Models["CloudEnvironment"][]> {
  return client.environments.list({ sort_by: "name", limit: 500 }).toArray();
}

/** An environment by its name or uid. @throws MillraceError `resource_not_found` */
export async function findEnvironment(client: Millrace, name: string): Promise<Models["CloudEnvironment"]> {
  const all = await listEnvironments(client);
  const found = all.find(({ uid }) => uid === name) ?? all.find(({ config }) => config.name === name);
  if (found) return found;
  throw new MillraceError("resource_not_found", `There is no environment "${name}".`, {
    remedy: "Run `millrace environments list` to list the environments that the API key can access.",
  });
}

function repositoriesOf({ github_repos = [] }: Config): string[] {
  return github_repos.map(({ owner, repo }) => `${owner}/${repo}`);
}

function listed(lines: readonly string[]): string | null {
  return lines.length === 0 ? null : lines.join("\n");
}

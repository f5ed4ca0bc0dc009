import type { RepositoryReference, Runner } from "../definitions/definition.ts";
import { optional } from "../definitions/inherit.ts";
import type { Factories } from "../reconcile/factories.ts";
import { type ServedDefinition, webhookSecretsOf } from "../reconcile/served.ts";
import type { CloudEnvironment, EnvironmentStore } from "./cloud-environment.ts";
import type { Run } from "./run.ts";
import type { Machine } from "./sandbox/sandbox.ts";

/** What a run is prepared with, as it is when a worker takes the run. */
export interface RunNeeds {
  repositories: readonly RepositoryReference[];
  /** Who lists them: that is where it is said whether the run may go without. */
  repositoriesOf: "environment" | "factory";
  /** Whether the run goes without those that cannot be cloned. */
  repositoriesAreOptional: boolean;
  setupCommands: readonly SetupCommand[];
  machine: Machine;
  /** Names of managed secrets. */
  secrets: readonly string[];
  /** The definition that is in force in the run's factory. */
  served: ServedDefinition | undefined;
}

/** A line for a shell, and whose it is. */
export interface SetupCommand {
  command: string;
  of: string;
}

export interface NeedsParts {
  environments: Pick<EnvironmentStore, "find">;
  /** The definition in force in a factory. */
  servedOf(factoryUid: string): ServedDefinition | undefined;
  /** Names of the secrets that webhooks authenticate with: an agent never gets them. */
  webhookSecrets(): ReadonlySet<string>;
  /** Whether the server can say where any repository is. */
  hasForges: boolean;
}

/** What needs are found with on a server. */
export function needsParts(
  factories: Pick<Factories, "list" | "find">,
  environments: NeedsParts["environments"],
  { isConfigured }: { isConfigured: boolean },
): NeedsParts {
  return {
    environments,
    servedOf: (uid) => factories.find(uid)?.served,
    webhookSecrets: () => webhookSecretsOf(factories.list()),
    hasForges: isConfigured,
  };
}

/**
 * Finds the environment and the runner that a run names. The environment says which repositories there are, and without
 * one the factory does; what the runner says of the machine comes before what the environment says.
 * @returns why not, for a run that names what is not there
 */
export async function needsOf(run: Run, parts: NeedsParts): Promise<RunNeeds | { missing: string }> {
  const { environment_id, runner_id } = run.config;
  const served = run.factoryUid === null ? undefined : parts.servedOf(run.factoryUid);
  const environment =
    environment_id === undefined ? undefined : await parts.environments.find(environment_id);
  if (environment_id !== undefined && !environment) return { missing: noEnvironment(environment_id) };
  const runner = served?.definition.runners.find(({ name }) => name === runner_id);
  if (runner_id !== undefined && !runner) return { missing: noRunner(runner_id, run) };
  return {
    ...repositoriesFor(environment, served, parts),
    setupCommands: setupCommandsOf(environment, runner),
    machine: machineOf(environment, runner),
    secrets: grantedSecrets(run, environment, parts.webhookSecrets()),
    served,
  };
}

/**
 * Every factory.yaml has to list repositories, so it can call them optional. A server without any forge has never said that it
 * can clone, so runs go without them then. What an environment lists was chosen for a run, which must not go without.
 */
function repositoriesFor(
  environment: CloudEnvironment | undefined,
  served: ServedDefinition | undefined,
  { hasForges }: NeedsParts,
): Pick<RunNeeds, "repositories" | "repositoriesOf" | "repositoriesAreOptional"> {
  if (environment) {
    const { repositories } = environment.config;
    return { repositories, repositoriesOf: "environment", repositoriesAreOptional: false };
  }
  const { repositories = [], repositoriesAreOptional = false } = served?.definition.factory ?? {};
  return {
    repositories: repositoriesAreOptional && !hasForges ? [] : repositories,
    repositoriesOf: "factory",
    repositoriesAreOptional,
  };
}

function setupCommandsOf(
  environment: CloudEnvironment | undefined,
  runner: Runner | undefined,
): SetupCommand[] {
  const of = (owner: string) => (command: string) => ({ command, of: owner });
  return [
    ...(environment?.config.setupCommands ?? []).map(of(`the environment ${environment?.config.name}`)),
    ...(runner?.setupCommands ?? []).map(of(`the runner ${runner?.name}`)),
  ];
}

function machineOf(environment: CloudEnvironment | undefined, runner: Runner | undefined): Machine {
  const image = runner?.dockerImage ?? environment?.config.dockerImage ?? undefined;
  return {
    ...(image === undefined ? {} : { image }),
    ...optional("registrySecret", runner?.registryCredentialSecretName),
    ...optional("platform", runner?.platform),
    ...(runner?.instanceShape ? { shape: runner.instanceShape } : {}),
  };
}

/** An environment grants what an admin has put into it to every run in it, but never what a webhook authenticates with. */
function grantedSecrets(
  { execution }: Run,
  environment: CloudEnvironment | undefined,
  webhookSecrets: ReadonlySet<string>,
): string[] {
  const { onlySecrets, secrets } = execution;
  const inEnvironment = (environment?.config.secrets ?? [])
    .filter((name) => !webhookSecrets.has(name))
    .filter((name) => onlySecrets?.includes(name) ?? true);
  return [...new Set([...secrets, ...inEnvironment])];
}

function noEnvironment(uid: string): string {
  return (
    `The run names the environment ${JSON.stringify(uid)}, and this server has none with that uid. ` +
    "`millrace environments list` shows those that there are."
  );
}

function noRunner(name: string, { factoryUid }: Run): string {
  const shown = JSON.stringify(name);
  return factoryUid === null
    ? `The run names the runner ${shown}, and belongs to no factory whose definition could have it.`
    : `The run names the runner ${shown}, and the definition of its factory has no runners/${name}.yaml.`;
}

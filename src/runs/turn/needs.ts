import type { RepositoryReference, Runner } from "../../definitions/definition.ts";
import { optional } from "../../definitions/inherit.ts";
import { webhookSecretNamesOf } from "../../definitions/rules/check-server.ts";
import type { ServerForges } from "../../forge/forge.ts";
import type { NetworkRule } from "../../network/network-rule.ts";
import { type ActiveDefinition, webhookSecretsOf } from "../../reconcile/active-definition.ts";
import { type Factories, findByUid } from "../../reconcile/factories.ts";
import type { CloudEnvironment, EnvironmentStore } from "../agents/cloud-environment.ts";
import type { Run } from "../run.ts";
import type { Machine, SetupCommand } from "./assignment.ts";
import { type NetworkPolicy, networkPolicy } from "./network-policy.ts";

/** What a run is prepared with, as it is when a worker takes the run. */
export interface RunNeeds {
  repositories: readonly RepositoryReference[];
  /** Who lists them: that is where it is said whether the run may go without. */
  repositoriesOf: "environment" | "factory";
  /** Whether the run goes without those that cannot be cloned. */
  repositoriesAreOptional: boolean;
  setupCommands: readonly SetupCommand[];
  /** Whether what they make is kept for later workspaces; null: unless they see secrets. */
  cacheSetup: boolean | null;
  machine: Machine;
  network: NetworkPolicy | undefined;
  /** Names of managed secrets. */
  secrets: readonly string[];
  /** The definition that is active in the run's factory. */
  active: ActiveDefinition | undefined;
}

export interface NeedsDeps {
  environments: Pick<EnvironmentStore, "find">;
  /** The active definition of a factory. */
  activeOf(factoryUid: string): ActiveDefinition | undefined;
  /** Names of the secrets that webhooks authenticate with: an agent never gets them. */
  webhookSecrets(factoryUid: string | null): ReadonlySet<string>;
  /** What the settings say of the network of runs. */
  network?: NetworkRule | undefined;
  /** Whether the server can say where any repository is, to whichever factory. */
  hasForges: boolean;
}

/** What needs are found with on a server. */
export function needsDeps(
  factories: Pick<Factories, "list" | "find">,
  environments: NeedsDeps["environments"],
  { isConfigured }: Pick<ServerForges<unknown>, "isConfigured">,
  network: NetworkRule | undefined,
): NeedsDeps {
  return {
    environments,
    activeOf: (uid) => findByUid(uid, factories)?.active,
    webhookSecrets: (factory) => webhookSecretsOf(factories.list(), { factory }),
    hasForges: isConfigured,
    network,
  };
}

/**
 * Finds the environment and the runner that a run names. The environment says which repositories there are, and without
 * one the factory does; what the runner says of the machine comes before what the environment says.
 * @returns why not, for a run that names what is not there
 */
export async function needsOf(run: Run, deps: NeedsDeps): Promise<RunNeeds | { missing: string }> {
  const { environment_id, runner_id } = run.config;
  const active = run.factoryUid === null ? undefined : deps.activeOf(run.factoryUid);
  const environment = environment_id === undefined ? undefined : await deps.environments.find(environment_id);
  if (environment_id !== undefined && !environment) return { missing: noEnvironment(environment_id) };
  const runner = active?.definition.runners.find(({ name }) => name === runner_id);
  if (runner_id !== undefined && !runner) return { missing: noRunner(runner_id, run) };
  return {
    ...repositoriesFor(environment, active, deps),
    setupCommands: setupCommandsOf(environment, runner),
    cacheSetup: cacheSetupOf(environment, runner),
    machine: machineOf(environment, runner),
    network: networkOf(run, runner, deps),
    secrets: grantedSecrets(run, environment, deps.webhookSecrets(run.factoryUid), active),
    active,
  };
}

/**
 * Every factory.yaml has to list repositories, so it can call them optional. A server without any forge has never said
 * that it can clone, so runs go without them then. What an environment lists was chosen for a run, which must not go
 * without.
 */
function repositoriesFor(
  environment: CloudEnvironment | undefined,
  active: ActiveDefinition | undefined,
  { hasForges }: NeedsDeps,
): Pick<RunNeeds, "repositories" | "repositoriesOf" | "repositoriesAreOptional"> {
  const repositories = listedRepositories(environment, active);
  if (environment) return { repositories, repositoriesOf: "environment", repositoriesAreOptional: false };
  const { repositoriesAreOptional = false } = active?.definition.factory ?? {};
  return {
    repositories: repositoriesAreOptional && !hasForges ? [] : repositories,
    repositoriesOf: "factory",
    repositoriesAreOptional,
  };
}

/** The repositories of runs in an environment; of those in none, the repositories of their factory. */
export function listedRepositories(
  environment: Pick<CloudEnvironment, "config"> | undefined,
  active: ActiveDefinition | undefined,
): readonly RepositoryReference[] {
  return environment?.config.repositories ?? active?.definition.factory.repositories ?? [];
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

/** Each has a say on its own commands: one can keep them from being cached, and all have to agree that secrets do not. */
function cacheSetupOf(environment: CloudEnvironment | undefined, runner: Runner | undefined): boolean | null {
  const said = [
    ...(environment?.config.setupCommands.length ? [environment.config.cacheSetup] : []),
    ...(runner?.setupCommands.length ? [runner.cacheSetup] : []),
  ];
  if (said.includes(false)) return false;
  return said.length > 0 && said.every((each) => each === true) ? true : null;
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

/**
 * An environment grants what an admin has put into it to every run in it, but never what a webhook authenticates with.
 */
function grantedSecrets(
  { execution }: Run,
  environment: CloudEnvironment | undefined,
  webhookSecrets: ReadonlySet<string>,
  active: ActiveDefinition | undefined,
): string[] {
  const { onlySecrets, secrets } = execution;
  const inEnvironment = (environment?.config.secrets ?? [])
    .filter((name) => !webhookSecrets.has(name))
    .filter((name) => onlySecrets?.includes(name) ?? true);
  // A webhook of its factory may have come to name one since the run was made.
  const named = new Set(active ? webhookSecretNamesOf(active.definition) : []);
  return [...new Set([...secrets.filter((name) => !named.has(name)), ...inEnvironment])];
}

/** A run with injected secrets goes through the proxy, which lets it reach everything where nothing limits that. */
function networkOf({ execution }: Run, runner: Runner | undefined, { network: settings }: NeedsDeps) {
  const policy = networkPolicy(execution.network, { settings, runner: runner?.network });
  return policy ?? (execution.inject ? { allow: [] } : undefined);
}

function noEnvironment(uid: string): string {
  return (
    `The run requests the environment ${JSON.stringify(uid)}, but this server has no environment with that UID. ` +
    "To list environments, run `millrace environments list`."
  );
}

function noRunner(name: string, { factoryUid }: Run): string {
  const shown = JSON.stringify(name);
  return factoryUid === null
    ? `The run requests the runner ${shown}, but belongs to no factory that could define it.`
    : `The run requests the runner ${shown}, but the definition of its factory has no runners/${name}.yaml.`;
}

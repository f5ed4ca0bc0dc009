import type { Models } from "../../client/typed-paths.ts";
import type { Definition, Execution } from "../../definitions/definition.ts";
import type { ApiKey } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import type { AgentIdentity, IdentityStore } from "../../runs/agents/agent-identity.ts";
import type { EnvironmentStore } from "../../runs/agents/cloud-environment.ts";
import { includesFactory, type SecretScope } from "../../secrets/rules/scope.ts";
import type { Vault } from "../../secrets/vault.ts";
import { reachesFactory } from "../http/authorize.ts";

type SecretUser = Models["SecretUser"];
/** One use: the name of the secret, and who uses it. */
type Use = readonly [secret: string, kind: SecretUser["kind"], name: string];

/** A factory that may not use a secret does not use it, whatever its definition names. */
type UsersOfSecret = (secret: SecretScope & { name: string }) => SecretUser[];

export interface SecretUserDeps {
  factories: Pick<Factories, "list">;
  environments: Pick<EnvironmentStore, "list">;
  identities: Pick<IdentityStore, "list">;
  vault: Pick<Vault, "isOfServer">;
}

/** Who uses each secret, as far as a key may know: what belongs to no factory is shown to keys of the whole server. */
export async function findSecretUsers(key: ApiKey, deps: SecretUserDeps): Promise<UsersOfSecret> {
  const found = new Map<string, { user: SecretUser; uid: string | null }[]>();
  const add = (factory: { uid: string; name: string } | null, uses: readonly Use[]) => {
    for (const [secret, kind, name] of uses) {
      const users = found.get(secret) ?? [];
      found.set(secret, users);
      const uid = factory?.uid ?? null;
      if (!users.some((known) => known.user.kind === kind && known.user.name === name && known.uid === uid))
        users.push({ user: { kind, name, factory: factory?.name ?? null }, uid });
    }
  };
  for (const factory of deps.factories.list()) {
    if (reachesFactory(key, factory.record.uid)) add(factory.record, usesOf(factory));
  }
  const seesServer = reachesFactory(key, null);
  if (seesServer) {
    const [environments, identities] = await Promise.all([deps.environments.list(), deps.identities.list()]);
    for (const {
      config: { name, secrets },
    } of environments)
      add(
        null,
        secrets.map((secret): Use => [secret, "environment", name]),
      );
    for (const identity of identities) add(null, usesOfIdentity(identity));
  }
  return ({ name, ...scope }) => {
    const users = (found.get(name) ?? [])
      .filter(({ user, uid }) => uid === null || user.kind === "source" || includesFactory(scope, uid))
      .map(({ user }) => user);
    const ofServer = seesServer && deps.vault.isOfServer(name);
    return ofServer ? [...users, { kind: "settings", name: "millrace.yaml", factory: null }] : users;
  };
}

/** What a factory uses: its definition and its source. */
export function usesOf({ record, active, sourceSecrets }: Factory): Use[] {
  return [
    ...(active ? usesOfDefinition(active.definition, record.name) : []),
    ...sourceSecrets.map((secret): Use => [secret, "source", record.name]),
  ];
}

function usesOfDefinition(definition: Definition, factoryName: string): Use[] {
  const { factory, webhooks, outbound, agents, automations, runners } = definition;
  const granted = new Set(factory.secrets);
  return [
    ...factory.secrets.map((secret): Use => [secret, "factory", factoryName]),
    ...(factory.notify ?? []).flatMap(({ name, kind, secretName }): Use[] =>
      secretName === undefined ? [] : [[secretName, "notification", name ?? kind]],
    ),
    ...outbound.map(({ name, secretName }): Use => [secretName, "outbound", name]),
    ...webhooks.map(({ name, secretName }): Use => [secretName, "webhook", name]),
    ...webhooks.flatMap(({ name, previous }): Use[] =>
      previous ? [[previous.secretName, "webhook", name]] : [],
    ),
    ...agents.flatMap(({ name, execution }) => usesOfExecution(execution, granted, "agent", name)),
    ...automations.flatMap(({ name, execution }) => usesOfExecution(execution, granted, "automation", name)),
    ...runners.flatMap(({ name, registryCredentialSecretName: secret }): Use[] =>
      secret === undefined ? [] : [[secret, "runner", name]],
    ),
  ];
}

/** What the factory grants to every run is the factory's use. */
function usesOfExecution(
  { secrets, harness: { auth } }: Execution,
  granted: ReadonlySet<string>,
  kind: "agent" | "automation",
  name: string,
): Use[] {
  const all = auth?.source === "managedSecret" ? [...secrets, auth.secretName] : secrets;
  return all.filter((secret) => !granted.has(secret)).map((secret) => [secret, kind, name]);
}

function usesOfIdentity({ name, secrets, config }: AgentIdentity): Use[] {
  const ofHarness = Object.values(config.harness_auth_secrets ?? {});
  return [...secrets, ...ofHarness].map((secret) => [secret, "agent", name]);
}

/** Users in words: `webhook "ci", automation "a"`. */
export function namesOfUses(uses: readonly Use[]): string {
  const names = uses.map(([, kind, name]) => `${kind} "${name}"`);
  const shown = names.slice(0, MAX_NAMED);
  return names.length > shown.length
    ? `${shown.join(", ")} and ${names.length - shown.length} more`
    : shown.join(", ");
}

const MAX_NAMED = 5;

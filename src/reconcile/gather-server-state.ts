import type { Definition } from "../definitions/definition.ts";
import { agentSecretNamesOf, previousSecretNamesOf } from "../definitions/rules/check-server.ts";
import type { ServerState } from "../definitions/rules/server-rule.ts";
import { includesFactory, type SecretReader } from "../secrets/rules/scope.ts";
import { workerEnvironmentFor } from "../secrets/setting-scopes.ts";
import type { Vault } from "../secrets/vault.ts";
import type { Draft } from "./prepare.ts";
import type { ReconcileDeps, Subject } from "./subject.ts";
import { takenCredentials } from "./webhook-credentials.ts";

/**
 * Gathers what the rules have to know of this server.
 * @param isRecheck whether the revision is in force already: then credentials stay as they were taken
 */
export async function gatherServerState(
  { definition, changes, uidOfWebhook }: Draft,
  { factory, active, newSecrets }: Subject,
  isRecheck: boolean,
  deps: ReconcileDeps,
): Promise<ServerState> {
  const { uid, name: factoryName, mode } = factory;
  const taken = isRecheck ? takenCredentials(active) : new Map<string, string>();
  const usable = await openSecrets(definition, uid, deps.vault);
  return {
    secrets: new Map([...usable.ofWebhooks, ...taken, ...(newSecrets ?? [])]),
    agentSecrets: new Set([...usable.ofAgents, ...(newSecrets?.keys() ?? [])]),
    placeOfSecret: (name) => (usable.within.has(name) ? deps.vault.placeOf(name) : undefined),
    isSecretOfServer: deps.vault.isOfServer,
    isActive: isRecheck,
    webhookUids: new Set(definition.webhooks.map(({ name }) => uidOfWebhook(name))),
    scheduleIds: await deps.listScheduleIds(uid),
    mayAwaitSecrets: mode === "managed",
    hasHarness: deps.hasHarness,
    redirectsKey: deps.redirectsKey,
    hasPrice: deps.hasPrice,
    forges: await deps.forgesOf(uid),
    neededForServerKey: (await deps.mayUseWorkerEnvironment(uid)) ? undefined : workerEnvironmentFor(uid),
    factoryName,
    host: deps.host,
    network: deps.network,
    workers: await deps.listWorkers(uid),
    changes,
    narrowed: active ? await deps.findNarrowed(uid, active, definition.factory.repositories) : [],
  };
}

/** What of the secrets that a definition names is there, and its factory may use. */
interface UsableSecrets {
  /** The values of those that its webhooks name. */
  ofWebhooks: ReadonlyMap<string, string>;
  /** Names of those that its agents may have. */
  ofAgents: ReadonlySet<string>;
  /** Names of those in whose scope the factory is, whether they have a value or not. */
  within: ReadonlySet<string>;
}

/**
 * Opens what a definition names. A secret that cannot be read keeps the definition from coming into force where a webhook
 * needs it; where an agent does, or an overlap, it counts as missing.
 */
async function openSecrets(
  definition: Definition,
  factoryUid: string,
  vault: Pick<Vault, "open" | "list">,
): Promise<UsableSecrets> {
  const reader = { webhooksOf: factoryUid };
  const current = await vault.open(
    definition.webhooks.map(({ secretName }) => secretName),
    reader,
  );
  const previous = await readable(previousSecretNamesOf(definition), reader, vault);
  const scoped = (await vault.list()).filter((secret) => includesFactory(secret, factoryUid));
  return {
    ofWebhooks: new Map([...previous, ...current]),
    ofAgents: new Set(
      (await readable(agentSecretNamesOf(definition), { agentsOf: factoryUid }, vault)).keys(),
    ),
    within: new Set(scoped.map(({ name }) => name)),
  };
}

async function readable(
  names: readonly string[],
  reader: SecretReader,
  vault: Pick<Vault, "open">,
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  return vault.open(names, reader).catch(async () => {
    const opened = names.map((name) => vault.open([name], reader).catch(() => new Map<string, string>()));
    return new Map((await Promise.all(opened)).flatMap((each) => [...each]));
  });
}

import type { Definition } from "../definitions/definition.ts";
import { includesFactory, type SecretReader } from "../secrets/scope.ts";
import type { Vault } from "../secrets/vault.ts";
import { agentSecretNamesOf, webhookSecretNamesOf } from "./check-server.ts";

/** What of the secrets that a definition names is there, and its factory may use. */
export interface UsableSecrets {
  /** The values of those that its webhooks name. */
  ofWebhooks: ReadonlyMap<string, string>;
  /** Names of those that its agents may have. */
  ofAgents: ReadonlySet<string>;
  /** Names of those in whose scope the factory is, whether they have a value or not. */
  within: ReadonlySet<string>;
}

/**
 * Opens what a definition names. A secret that cannot be read keeps the definition from coming into force where a webhook
 * needs it; where an agent does, it counts as missing.
 */
export async function openSecrets(
  definition: Definition,
  factoryUid: string,
  vault: Pick<Vault, "open" | "list">,
): Promise<UsableSecrets> {
  const ofWebhooks = await vault.open(webhookSecretNamesOf(definition), { webhooksOf: factoryUid });
  const scoped = (await vault.list()).filter((secret) => includesFactory(secret, factoryUid));
  return {
    ofWebhooks,
    ofAgents: await readable(agentSecretNamesOf(definition), { agentsOf: factoryUid }, vault),
    within: new Set(scoped.map(({ name }) => name)),
  };
}

async function readable(
  names: readonly string[],
  reader: SecretReader,
  vault: Pick<Vault, "open">,
): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const values = await vault.open(names, reader).catch(async () => {
    const opened = names.map((name) => vault.open([name], reader).catch(() => new Map<string, string>()));
    return new Map((await Promise.all(opened)).flatMap((each) => [...each]));
  });
  return new Set(values.keys());
}

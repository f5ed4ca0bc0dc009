import type { Config } from "./config/config.ts";
import type { Log } from "./log.ts";
import { nameInSettings } from "./managed-sources.ts";
import type { Factories, Factory } from "./reconcile/factories.ts";
import { type KnownScopes, type NamedFactory, outsideScopes, scopesOfNew } from "./secrets/outside-scopes.ts";
import type { SecretStore } from "./secrets/secret.ts";

type Store = Pick<SecretStore, "listScopes" | "putScopes" | "listBoundNames" | "bindNames">;

/** Writes down which factories may use the secrets that the settings keep outside, and logs what they leave open. */
export async function scopeOutsideSecrets(
  { secrets }: Pick<Config, "secrets">,
  factories: Pick<Factories, "list">,
  store: Store,
  log: Log,
): Promise<void> {
  if (Object.keys(secrets).length === 0) return;
  const named = factories.list().map(asNamed);
  const { scopes, newNames, warnings } = outsideScopes(secrets, named, await knownOf(store));
  await store.bindNames(newNames);
  await store.putScopes(scopes);
  for (const warning of warnings) log.warn(warning);
}

/** Writes down which of those secrets a factory may use that was made while the server runs. */
export async function scopeForNewFactory(
  { secrets }: Pick<Config, "secrets">,
  made: Factory,
  factories: Pick<Factories, "list">,
  store: Store,
): Promise<void> {
  if (Object.keys(secrets).length === 0) return;
  const named = factories.list().map(asNamed);
  const { scopes, newNames } = scopesOfNew(secrets, asNamed(made), named, await knownOf(store));
  await store.bindNames(newNames);
  await store.putScopes(scopes);
}

async function knownOf(store: Store): Promise<KnownScopes> {
  return { scopes: await store.listScopes(), names: await store.listBoundNames() };
}

/** A definition that millrace keeps can give its factory another name; what the settings call it stays. */
function asNamed({ record, sourceName }: Factory): NamedFactory {
  const called = record.mode === "managed" ? nameInSettings(record) : sourceName;
  return { uid: record.uid, name: record.name, sourceName: called };
}

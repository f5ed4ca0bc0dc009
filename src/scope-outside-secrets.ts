import type { Config } from "./config/config.ts";
import type { Log } from "./log.ts";
import type { Factories } from "./reconcile/factories.ts";
import { outsideScopes } from "./secrets/outside-scopes.ts";
import type { SecretStore } from "./secrets/secret.ts";

/** Writes down which factories may use the secrets that the settings keep outside, and logs what they leave open. */
export async function scopeOutsideSecrets(
  { secrets }: Pick<Config, "secrets">,
  factories: Pick<Factories, "list">,
  store: Pick<SecretStore, "listScopes" | "putScopes">,
  log: Log,
): Promise<void> {
  if (Object.keys(secrets).length === 0) return;
  const named = factories.list().map(({ record, sourceName }) => {
    return { uid: record.uid, name: record.name, sourceName };
  });
  const { scopes, warnings } = outsideScopes(secrets, named, await store.listScopes());
  await store.putScopes(scopes);
  for (const warning of warnings) log.warn(warning);
}

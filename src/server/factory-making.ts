import type { Config } from "../config/config.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { SecretStore } from "../secrets/secret.ts";
import type { SettingScopeStore } from "../secrets/setting-scopes.ts";
import type { SourceDeps } from "../sources/factory-sources.ts";
import { newManagedSpec } from "../sources/managed-sources.ts";
import { scopeForNewFactory } from "../sources/setting-scopes.ts";

interface FactoryMakingDeps {
  config: Config;
  factories: Factories;
  store: { secrets: SecretStore; settingScopes: SettingScopeStore };
  sourceDeps: SourceDeps;
}

/** Makes factories while the server runs. */
export function factoryMaking({ config, factories, store, sourceDeps }: FactoryMakingDeps) {
  return {
    async makeFactory(name: string) {
      const made = await factories.add(newManagedSpec(name, sourceDeps));
      await scopeForNewFactory(config, made, factories, store);
      return made;
    },
  };
}

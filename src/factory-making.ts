import type { Config } from "./config/config.ts";
import { newManagedSpec } from "./managed-sources.ts";
import type { Factories } from "./reconcile/factories.ts";
import { scopeForNewFactory } from "./scope-outside-secrets.ts";
import type { SecretStore } from "./secrets/secret.ts";
import type { SourceParts } from "./sources.ts";

interface FactoryMakingParts {
  config: Config;
  factories: Factories;
  store: { secrets: SecretStore };
  sourceParts: SourceParts;
}

/** Makes factories while the server runs. */
export function factoryMaking({ config, factories, store, sourceParts }: FactoryMakingParts) {
  return {
    async makeFactory(name: string) {
      const made = await factories.add(newManagedSpec(name, sourceParts));
      await scopeForNewFactory(config, made, factories, store.secrets);
      return made;
    },
  };
}

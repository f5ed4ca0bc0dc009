import type { Config } from "./config/config.ts";
import type { Log } from "./log.ts";
import { newManagedSpec } from "./managed-sources.ts";
import type { Factories } from "./reconcile/factories.ts";
import { scopeOutsideSecrets } from "./scope-outside-secrets.ts";
import type { SecretStore } from "./secrets/secret.ts";
import type { SourceParts } from "./sources.ts";

interface FactoryMakingParts {
  config: Config;
  factories: Factories;
  store: { secrets: SecretStore };
  sourceParts: SourceParts;
  log: Log;
}

/** Makes factories while the server runs. */
export function factoryMaking({ config, factories, store, sourceParts, log }: FactoryMakingParts) {
  return {
    async makeFactory(name: string) {
      const made = await factories.add(newManagedSpec(name, sourceParts));
      await scopeOutsideSecrets(config, factories, store.secrets, log);
      return made;
    },
  };
}

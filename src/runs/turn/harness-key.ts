import type { Harness } from "../../definitions/definition.ts";
import { MillraceError, setSecret } from "../../errors/error.ts";
import { workerEnvironmentFor } from "../../secrets/setting-scopes.ts";
import type { Vault } from "../../secrets/vault.ts";
import type { AssignedKey } from "./assignment.ts";

/** Where a harness finds the key of its program. */
export interface KeyPlaces {
  vault: Pick<Vault, "open">;
  /** Names of the secrets that the webhooks of its factory authenticate with. */
  webhookSecrets: readonly string[];
  /** Whether the agents of a factory may have a key of the environment of whoever executes them. */
  mayUseWorkerEnvironment(factoryUid: string | null): Promise<boolean>;
  factoryUid: string | null;
  /** What the factory is called, for what to do when there is none. */
  factoryName: string | undefined;
}

/**
 * The key that a definition names for its harness: a secret, which need not be granted; or with `workerEnvironment` what
 * the executor itself has under one of the names under which the program looks for it.
 * @throws MillraceError `environment_setup_failed` when there is no such secret, or when the factory may not use what there is
 */
export async function openHarnessKey(
  { type, auth }: Harness,
  places: KeyPlaces,
): Promise<AssignedKey | undefined> {
  if (auth?.source === "workerEnvironment") {
    if (!(await places.mayUseWorkerEnvironment(places.factoryUid))) throw notOfWorker(type, places);
    return { fromEnvironment: true };
  }
  if (auth?.source !== "managedSecret") return undefined;
  const { vault, factoryUid, webhookSecrets, factoryName } = places;
  const reader = { agentsOf: factoryUid };
  const name = auth.secretName;
  const value = webhookSecrets.includes(name) ? undefined : (await vault.open([name], reader)).get(name);
  if (value !== undefined) return { value };
  throw new MillraceError(
    "environment_setup_failed",
    `The harness ${type} has no key: no secret ${name} is available to the agents of its factory`,
    { remedy: `Set it with \`${setSecret(name, factoryName)}\`.` },
  );
}

function notOfWorker(type: string, { factoryUid }: KeyPlaces): MillraceError {
  const who = factoryUid === null ? "runs without a factory" : "the factory";
  return new MillraceError(
    "environment_setup_failed",
    `The harness ${type} has no key: auth.source is workerEnvironment, and ${who} may not use the key in the server's environment`,
    {
      remedy: `Add \`${workerEnvironmentFor(factoryUid)}\` to millrace.yaml and restart the server, or specify a secret in auth.`,
    },
  );
}

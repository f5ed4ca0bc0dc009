import type { Harness } from "../../definitions/definition.ts";
import { MillraceError } from "../../error.ts";
import { setSecret } from "../../in-shell.ts";
import type { SecretReader } from "../../secrets/scope.ts";
import type { Vault } from "../../secrets/vault.ts";
import type { HarnessRow } from "./harness.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Where a harness finds the key of its program. */
export interface KeyPlaces {
  vault: Pick<Vault, "open">;
  /** Whose agent it is. */
  reader: SecretReader;
  /** Names of the secrets that the webhooks of its factory authenticate with. */
  webhookSecrets: readonly string[];
  serverEnvironment: Variables;
  /** What the factory is called, for what to do when there is none. */
  factoryName: string | undefined;
}

/**
 * The key that a definition names for its harness: a secret, which need not be granted; or with `workerEnvironment` what
 * the server itself has under one of the names under which the program looks for it.
 * @throws MillraceError `environment_setup_failed` when there is no such secret that the factory may use
 */
export async function openHarnessKey(
  { type, auth }: Harness,
  { keyVariables = [] }: HarnessRow,
  { vault, reader, webhookSecrets, serverEnvironment, factoryName }: KeyPlaces,
): Promise<string | undefined> {
  if (auth?.source === "workerEnvironment") {
    return keyVariables.map((name) => serverEnvironment[name]).find((value) => value !== undefined);
  }
  if (auth?.source !== "managedSecret") return undefined;
  const name = auth.secretName;
  const value = webhookSecrets.includes(name) ? undefined : (await vault.open([name], reader)).get(name);
  if (value !== undefined) return value;
  throw new MillraceError(
    "environment_setup_failed",
    `The harness ${type} has no key: there is no secret ${name} that its factory may use for agents`,
    { remedy: `Set it with \`${setSecret(name, factoryName)}\`.` },
  );
}

/**
 * The variables that a harness adds to an agent's environment: those of its row, and its key under each of the names
 * under which its program looks for it. Where the definition names none, the key is a granted secret of one of the names.
 */
export function harnessEnvironment(
  { environment = {}, keyVariables = [] }: HarnessRow,
  granted: ReadonlyMap<string, string>,
  named: string | undefined,
): Record<string, string> {
  const key = named ?? keyVariables.map((name) => granted.get(name)).find((value) => value !== undefined);
  return {
    ...environment,
    ...(key === undefined ? {} : Object.fromEntries(keyVariables.map((name) => [name, key]))),
  };
}

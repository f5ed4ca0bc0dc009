import type { Harness } from "../../definitions/definition.ts";
import { MillraceError } from "../../error.ts";
import type { Vault } from "../../secrets/vault.ts";
import type { HarnessRow } from "./harness.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The key that a definition names for its harness: a secret, which need not be granted; or with `workerEnvironment` what
 * the server itself has under one of the names under which the program looks for it.
 * @throws MillraceError `environment_setup_failed` when there is no such secret
 */
export async function openHarnessKey(
  { type, auth }: Harness,
  { keyVariables = [] }: HarnessRow,
  vault: Pick<Vault, "open">,
  serverEnvironment: Variables,
): Promise<string | undefined> {
  if (auth?.source === "workerEnvironment") {
    return keyVariables.map((name) => serverEnvironment[name]).find((value) => value !== undefined);
  }
  if (auth?.source !== "managedSecret") return undefined;
  const value = (await vault.open([auth.secretName])).get(auth.secretName);
  if (value !== undefined) return value;
  throw new MillraceError(
    "environment_setup_failed",
    `The harness ${type} has no key: there is no secret ${auth.secretName}`,
    { remedy: `Set it with \`millrace secrets set ${auth.secretName}\`.` },
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

import type { Harness } from "../../definitions/definition.ts";
import type { HarnessRow } from "./harness.ts";

export interface HarnessSecrets {
  /** The granted secrets by name. */
  granted: ReadonlyMap<string, string>;
  /** The secret that `harness.auth` names, which need not be granted. */
  key: string | undefined;
}

/**
 * The variables that a harness adds to an agent's environment: those of its row, and its key under each of the names
 * under which its program looks for it. The key is the secret that the definition names; or with `workerEnvironment`
 * what the server itself has under one of the names; or else a granted secret of one of the names.
 */
export function harnessEnvironment(
  { environment = {}, keyVariables = [] }: HarnessRow,
  auth: Harness["auth"],
  { granted, key: named }: HarnessSecrets,
  serverEnvironment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const among = (values: (name: string) => string | undefined) =>
    keyVariables.map(values).find((value) => value !== undefined);
  const own = auth?.source === "workerEnvironment" ? among((name) => serverEnvironment[name]) : undefined;
  const key = named ?? own ?? among((name) => granted.get(name));
  return {
    ...environment,
    ...(key === undefined ? {} : Object.fromEntries(keyVariables.map((name) => [name, key]))),
  };
}

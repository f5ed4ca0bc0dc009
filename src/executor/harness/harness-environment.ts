import type { AssignedKey } from "../../runs/turn/assignment.ts";
import type { HarnessRow } from "./harness.ts";

/** The key of a program: the one that was assigned, or the first of the executor's own environment under one of the program's names. */
export function keyOf(
  assigned: AssignedKey | undefined,
  { keyVariables = [] }: HarnessRow,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (assigned === undefined || "value" in assigned) return assigned?.value;
  return keyVariables.map((name) => environment[name]).find((value) => value !== undefined);
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

import { MillraceError } from "../../errors/error.ts";

/** A managed secret in the shape of the public API. */
export interface SecretReference {
  name: string;
}

/** The names in a list of secrets. @throws MillraceError `invalid_request` when one is there twice */
export function secretNamesIn(references: readonly SecretReference[]): string[] {
  const names = new Set<string>();
  for (const { name } of references) {
    if (names.has(name)) {
      throw new MillraceError("invalid_request", `secrets: "${name}" is listed twice; list it once.`, {
        extra: { field: "secrets" },
      });
    }
    names.add(name);
  }
  return [...names];
}

export function secretReferences(names: readonly string[]): SecretReference[] {
  return names.map((name) => ({ name }));
}

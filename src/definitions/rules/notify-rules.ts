import { type FileRule, problemAt } from "../tree.ts";
import type { WrittenFactory } from "../written.ts";
import type { ServerRule } from "./server-rule.ts";

/** What a place for notifications is called that has no name of its own: by its kind and its position. */
export function notifyName({ name, kind }: { name?: string; kind: string }, index: number): string {
  return name ?? `${kind}-${index + 1}`;
}

export const notifyTargetsHaveTheirOwnNames: FileRule<WrittenFactory> = (factory) => {
  const names = (factory.data.millrace?.notify ?? []).map(notifyName);
  return names.flatMap((name, index) => {
    if (names.indexOf(name) === index) return [];
    const message = `two notification targets have the name "${name}": give each its own name`;
    return [problemAt(factory, ["millrace", "notify", index], "FF_INVALID_VALUE", message)];
  });
};

/** Without its secret a target gets nothing, and the rest of the definition is none the worse for it. */
export const notifySecretsExist: ServerRule = ({ definition, state, problem }) =>
  (definition.factory.notify ?? []).flatMap(({ secretName }, index) => {
    if (secretName === undefined || state.agentSecrets.has(secretName)) return [];
    const why = state.isSecretOfServer(secretName)
      ? `"${secretName}" is a credential of the server itself, which definitions cannot use`
      : `there is no secret "${secretName}" that this factory may use: set it with \`millrace secrets set ${secretName} --factory ${state.factoryName}\``;
    const at = ["millrace", "notify", index, "secretName"];
    return [
      problem(
        "factory.yaml",
        at,
        "FF_INVALID_REFERENCE",
        `${why}; until then no notification is sent`,
        "warning",
      ),
    ];
  });

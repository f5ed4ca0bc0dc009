import { compileFilter } from "../filters/compile-filter.ts";
import { checkPattern, type PayloadPattern } from "../filters/filter.ts";
import type { DataPath, ParsedFile } from "../loading/parse.ts";
import { FILE_START, type Problem } from "../problem.ts";
import { type FileRule, problemAt, type TreeRule } from "../tree.ts";
import type { WrittenFactory, WrittenOutbound } from "../written.ts";
import type { ServerRule } from "./server-rule.ts";

/** Each has events rendered and stored for it. */
const MAX_OUTBOUND = 20;

export const outboundFiltersAreValid: FileRule<WrittenOutbound> = (outbound) => {
  const { filter } = outbound.data;
  return filter === undefined ? [] : filterProblems(filter, { ...outbound, at: ["filter"] });
};

/** What is wrong with the filter of an outbound webhook, in its file or in the settings. */
export function filterProblems(
  filter: object,
  { path, file, at }: { path: string; file: ParsedFile; at: DataPath },
): Problem[] {
  return checkPattern(filter, (inner) => file.isRounded([...at, ...inner])).map((found): Problem => {
    const field = found.at.length > 0 ? `body field "${found.at.join(".")}": ` : "filter: ";
    const place = file.at([...at, ...found.at]);
    return { code: "FF_INVALID_FILTER", message: field + found.message, path, ...place, severity: "error" };
  });
}

/** A filter on the type of events that leaves out one of them is hardly meant to be: the list of events is there for that. */
export const outboundFiltersLeaveEvents: FileRule<WrittenOutbound> = ({ data, path, file }) => {
  const { filter, events } = data;
  if (!filter || !("type" in filter) || checkPattern(filter).length > 0) return [];
  const ofType = compileFilter({ type: filter.type } as PayloadPattern);
  return events.flatMap((type, index): Problem[] => {
    if (ofType.matches({ type })) return [];
    const message = `"events[${index}]": ${type} is never sent, because the filter excludes it by the field "type"`;
    const place = file.at(["events", index]);
    return [{ code: "FF_FILTER_NEVER_MATCHES", message, path, ...place, severity: "warning" }];
  });
};

export const outboundsAreNoMoreThanAllowed: TreeRule = ({ present }) => {
  const outbound = present
    .filter(({ kind }) => kind === "outbound")
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return outbound.slice(MAX_OUTBOUND).map(({ path }): Problem => {
    const message = `the factory has ${outbound.length} outbound webhooks; the limit is ${MAX_OUTBOUND}`;
    return { code: "FF_INVALID_DOCUMENT", message, path, ...FILE_START, severity: "error" };
  });
};

/** Without its secret an outbound webhook sends nothing, and the rest of the definition is none the worse for it. */
export const outboundSecretsExist: ServerRule = ({ definition, state, problem }) =>
  definition.outbound.flatMap(({ name, path, secretName }) => {
    if (state.agentSecrets.has(secretName)) return [];
    const why = state.isSecretOfServer(secretName)
      ? `"${secretName}" is a credential of the server itself, which definitions cannot use`
      : `there is no secret "${secretName}" that this factory may use: set it with \`millrace secrets set ${secretName} --factory ${state.factoryName}\`, or have one generated with \`millrace outbound rotate-secret ${name}\``;
    const message = `${why}; until then events wait, for at most three days`;
    return [problem(path, ["secretName"], "FF_INVALID_REFERENCE", message, "warning")];
  });

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

import { checkPattern } from "../filters/filter.ts";
import type { DataPath, ParsedFile } from "../loading/parse.ts";
import { FILE_START, type Problem } from "../problem.ts";
import type { FileRule, TreeRule } from "../tree.ts";
import type { WrittenOutbound } from "../written.ts";
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
  return checkPattern(filter).map((found): Problem => {
    const field = found.at.length > 0 ? `body field "${found.at.join(".")}": ` : "filter: ";
    const place = file.at([...at, ...found.at]);
    return { code: "FF_INVALID_FILTER", message: field + found.message, path, ...place, severity: "error" };
  });
}

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

import { checkPattern } from "../filters/filter.ts";
import { FILE_START, type Problem } from "../problem.ts";
import { type FileRule, problemAt, type TreeRule } from "../tree.ts";
import type { WrittenOutbound } from "../written.ts";
import type { ServerRule } from "./server-rule.ts";

/** Each has events rendered and stored for it. */
const MAX_OUTBOUND = 20;

export const outboundFiltersAreValid: FileRule<WrittenOutbound> = (outbound) => {
  const { filter } = outbound.data;
  if (filter === undefined) return [];
  return checkPattern(filter).map(({ at, message }) => {
    const field = at.length > 0 ? `body field "${at.join(".")}": ` : "filter: ";
    return problemAt(outbound, ["filter", ...at], "FF_INVALID_FILTER", field + message);
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

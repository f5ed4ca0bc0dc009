import { readdirSync, readFileSync } from "node:fs";
import { apiPage } from "./reference/api.mjs";
import { commandsPage } from "./reference/commands.mjs";
import { definitionFilesPage, settingsPage } from "./reference/schemas.mjs";
import { workerBackendPage } from "./reference/worker-backend.mjs";
import { workerProtocolPage } from "./reference/worker-protocol.mjs";

const HEADER =
  "// Made by `npm run build` from the API's description (src/api/document.ts). Do not edit.\n\n";
/** The description is the same on every server but for its address. */
const EXAMPLE_URL = "http://127.0.0.1:8787";

const readJson = (url) => JSON.parse(readFileSync(url, "utf8"));

/** The schemas of the definition files, by the names of their files. */
function schemasOf(version) {
  const folder = new URL(`../schemas/${version}/`, import.meta.url);
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, readJson(new URL(name, folder))]));
}

/** The same in one document, each with its own `$id` (JSON Schema 2020-12, compound). */
function bundle(version) {
  const $defs = schemasOf(version);
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  return { $schema, title: `The definition files of millrace, ${version}`, $defs };
}

/** The query parameters that a handler always finds, as a type: what is left out gets its default. */
function queryDefaults({ paths }) {
  const rows = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .map(({ operationId, parameters = [] }) => ({
      operationId,
      names: parameters.filter((each) => each.in === "query" && "default" in each.schema),
    }))
    .filter(({ names }) => names.length > 0)
    .map(
      ({ operationId, names }) => `  ${operationId}: ${names.map(({ name }) => `"${name}"`).join(" | ")};`,
    );
  return `/** The query parameters with a default, by operation: a handler always finds them. */
export interface QueryDefaults {
${rows.join("\n")}
}
`;
}

/** The descriptions and reference pages with their contents. @param build where the description has been built */
export async function generated(build = new URL("../dist/", import.meta.url)) {
  const { createProgram } = await import(new URL("cli/program.js", build));
  const { exitCodes } = await import(new URL("cli/exit-code.js", build));
  const { settings } = await import(new URL("config/settings.js", build));
  const { PROTOCOL, REQUEST_SCHEMAS } = await import(new URL("workers/protocol/messages.js", build));
  const { TURN_CALLS } = await import(new URL("runs/turn/turn-calls.js", build));
  const backend = await import(new URL("executor/worker/backend/program-forms.js", build));
  const document = await documentOf(build);
  return [
    { path: "schemas/openapi.json", content: `${JSON.stringify(document, null, 2)}\n` },
    { path: "docs/reference/api.md", content: apiPage(document) },
    { path: "docs/reference/commands.md", content: commandsPage(createProgram(), exitCodes()) },
    { path: "docs/reference/definition-files.md", content: definitionFilesPage(schemasOf("v1alpha1")) },
    {
      path: "docs/reference/settings.md",
      content: settingsPage(settings, readJson(new URL("../schemas/millrace.schema.json", import.meta.url))),
    },
    {
      path: "docs/reference/worker-backend.md",
      content: workerBackendPage(backend.BACKEND_VERSION, backend.BACKEND_REQUESTS, backend.BACKEND_ANSWERS),
    },
    {
      path: "docs/reference/worker-protocol.md",
      content: workerProtocolPage(PROTOCOL, REQUEST_SCHEMAS, TURN_CALLS),
    },
    {
      path: "schemas/v1alpha1.bundle.json",
      content: `${JSON.stringify(bundle("v1alpha1"), null, 2)}\n`,
    },
  ];
}

/** The types of the API with their contents. @param build where the description has been built */
export async function generatedTypes(build = new URL("../dist/", import.meta.url)) {
  const { astToString, default: openapiTypescript } = await import("openapi-typescript");
  const document = await documentOf(build);
  // An object without named members is one of any members.
  const types = await openapiTypescript(structuredClone(document), { emptyObjectsUnknown: true });
  return [
    { path: "src/client/api-types.ts", content: HEADER + astToString(types) },
    {
      path: "src/api/http/query-defaults.ts",
      content: `${HEADER}// Own file: it is generated.

${queryDefaults(document)}`,
    },
  ];
}

async function documentOf(build) {
  const { openApiDocument } = await import(new URL("api/document.js", build));
  return openApiDocument(EXAMPLE_URL);
}

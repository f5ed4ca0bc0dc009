import { code, page, table } from "./page.mjs";

const METHODS = ["get", "post", "put", "patch", "delete"];

/** The page about every operation of the API and every shape that it speaks in. @param document OpenAPI 3.1 */
export function apiPage(document) {
  const introduction =
    "This page lists all operations and schemas of the API. It is generated from the [OpenAPI description](../../schemas/openapi.json), against which the server validates requests. A server also provides this description at `/api/v1/openapi.json`. For an introduction to the API, see [Run API](../run-api.md).\n\nPaths are relative to the server's API URL, which ends with `/api/v1`. Requests require the header `Authorization: Bearer KEY`, unless the operation states that no API key is required. Each operation that accepts an API key lists the minimum [role](../run-api.md#roles) of the key (`x-required-role` in the OpenAPI description).";
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ method, path, ...item[method] })),
  );
  const tags = [...new Set(operations.map(({ tags: [tag] }) => tag))];
  const sections = tags.map((tag) =>
    [
      `## ${capitalized(tag)}`,
      ...operations.filter(({ tags: [first] }) => first === tag).map(operationSection),
    ].join("\n\n"),
  );
  const models = Object.entries(document.components.schemas).map(([name, schema]) =>
    modelSection(name, schema),
  );
  return page("HTTP API", introduction, [...sections, "## Schemas", ...models]);
}

function operationSection({
  method,
  path,
  summary,
  description,
  parameters = [],
  requestBody,
  responses,
  "x-required-role": role,
  "x-run-token": forRunToken,
}) {
  const rows = parameters
    .filter(({ name }) => name !== undefined)
    .map((parameter) => [
      code(parameter.name),
      `${parameter.in}${parameter.required ? ", required" : ""}`,
      parameter.description,
    ]);
  const access = role
    ? `Required role: ${code(role)}${forRunToken ? ", or the run's token" : ""}.`
    : forRunToken
      ? "Requires the run's token. An API key is not sufficient."
      : "No API key is required.";
  const body = requestBody ? `Body: ${contentOf(requestBody)}.` : "";
  const answers = Object.entries(responses)
    .filter(([status]) => status !== "default")
    .map(([status, answer]) => `${status} ${contentOf(answer)}`.trim());
  return [
    `### ${method.toUpperCase()} ${path}`,
    [summary && `${summary}.`, description, access].filter(Boolean).join(" "),
    table(["parameter", "location", "description"], rows),
    [body, answers.length > 0 ? `Responses: ${answers.join("; ")}.` : ""].filter(Boolean).join(" "),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** What a body is, by the names of its shapes. */
function contentOf({ content = {} }) {
  return Object.entries(content)
    .map(([type, { schema = {} }]) => (type === "application/json" ? shapeOf(schema) : `${code(type)}`))
    .join(" or ");
}

function modelSection(name, schema) {
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties ?? {}).map(([key, value]) => [
    code(key),
    `${shapeOf(value)}${required.has(key) ? "" : ", optional"}`,
    value.description,
  ]);
  const text = [
    schema.description,
    schema.properties ? "" : `${schema.enum ? "One of" : "Type"}: ${shapeOf(schema)}.`,
  ]
    .filter(Boolean)
    .join(" ");
  return [`### ${name}`, text, table(["member", "type", "description"], rows)]
    .filter((part) => part !== "")
    .join("\n\n");
}

function shapeOf(schema) {
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1);
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((value) => code(String(value))).join(", ");
  const ways = schema.oneOf ?? schema.anyOf;
  if (ways) return [...new Set(ways.map(shapeOf))].join(" or ");
  const types = [schema.type ?? "any"].flat();
  return types
    .map((type) => (type === "array" && schema.items ? `list of ${shapeOf(schema.items)}` : type))
    .join(" or ");
}

const capitalized = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

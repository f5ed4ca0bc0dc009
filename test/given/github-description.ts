import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";

/** An operation that GitHub describes, and what a request says in its path. */
export interface GithubOperation {
  /** As the documentation writes it: `POST /repos/{owner}/{repo}/check-runs`. */
  route: string;
  path: Record<string, string>;
}

type Json = Record<string, unknown>;
interface Described {
  parameters?: Json[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, { content?: Record<string, { examples?: Record<string, Json> }> }>;
}
interface Document {
  paths: Record<string, Record<string, Described>>;
  components: Record<string, Record<string, Json>>;
}

/** A slice of what GitHub publishes; scripts/slice-github-description.mjs says which, and makes it. */
const document = JSON.parse(
  readFileSync(new URL("./github-description.json", import.meta.url), "utf8"),
) as Document;
allowNull(document);
const ajv = new Ajv({ strict: false, logger: false, allErrors: true, coerceTypes: false });
addFormats.default(ajv);
ajv.addSchema(document, "github", false, false);

/**
 * OpenAPI 3.0 says `nullable` where JSON Schema lists a type. Where there is no type beside it, ajv does not know it; and
 * where there is a list of values, GitHub means null to be one of them and does not list it.
 */
function allowNull(node: unknown): void {
  if (typeof node !== "object" || node === null) return;
  const schema = node as Json;
  if (schema.nullable === true) {
    if (Array.isArray(schema.enum)) schema.enum = [...schema.enum, null];
    if (schema.type === undefined) {
      const { nullable: _, ...rest } = schema;
      for (const key of Object.keys(schema)) delete schema[key];
      schema.anyOf = [{ type: "null" }, rest];
    }
  }
  for (const value of Object.values(schema)) allowNull(value);
}

/** The operation of a request; nothing when GitHub has none there. */
export function findGithubOperation(method: string, pathname: string): GithubOperation | undefined {
  const templates = Object.keys(document.paths).filter(
    (template) => method.toLowerCase() in (document.paths[template] ?? {}),
  );
  // The name of a reference has slashes in it; whatever else fits comes first.
  for (const isOpen of [false, true]) {
    for (const template of templates) {
      const path = matched(template.split("/"), pathname.split("/"), isOpen);
      if (path) return { route: `${method.toUpperCase()} ${template}`, path };
    }
  }
  return undefined;
}

/** @param isOpen whether the last part may have slashes in it */
function matched(
  template: readonly string[],
  asked: readonly string[],
  isOpen: boolean,
): Record<string, string> | undefined {
  const path: Record<string, string> = {};
  const isLonger = isOpen && template.at(-1) === "{ref}" && asked.length > template.length;
  if (asked.length !== template.length && !isLonger) return undefined;
  for (const [index, part] of template.entries()) {
    const isLast = index === template.length - 1;
    const value = decodeURIComponent(isOpen && isLast ? asked.slice(index).join("/") : (asked[index] ?? ""));
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name) path[name] = value;
    else if (part !== value) return undefined;
  }
  return path;
}

/** What of a request its operation does not describe; nothing when it is as it should be. */
export function whyNotARequest(
  { route, path }: GithubOperation,
  query: URLSearchParams,
  body: unknown,
): string | undefined {
  const described = describedAt(route);
  const parameters = (described.parameters ?? []).map((parameter) => resolved(parameter));
  const known = new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
  const given = [
    ...Object.entries(path).map(([name, value]) => ["path", name, value] as const),
    ...[...query].map(([name, value]) => ["query", name, value] as const),
  ];
  for (const [place, name, value] of given) {
    const parameter = known.get(`${place} ${name}`);
    if (!parameter) return `there is no ${name} in the ${place}`;
    const { type } = parameter.schema as { type?: string };
    const why = against(parameter.schema as Json, type === "integer" ? Number(value) : value);
    if (why) return `${name}: ${why}`;
  }
  if (!described.requestBody) return body === undefined ? undefined : "there is no body";
  const check = ajv.getSchema(pointer(route, "requestBody", "content", "application/json", "schema"));
  if (!check) throw new Error(`GitHub describes no body of ${route}`);
  return check(body) ? undefined : ajv.errorsText(check.errors, { dataVar: "body" });
}

/** GitHub's own example of an answer, with changes to it; held to the description once more. */
export function githubAnswer(route: string, status: number, changes: (example: never) => unknown): unknown {
  const content = describedAt(route).responses[String(status)]?.content?.["application/json"];
  const [example] = Object.values(content?.examples ?? {});
  const value = changes(structuredClone(example && resolved(example).value) as never);
  const check = ajv.getSchema(
    pointer(route, "responses", String(status), "content", "application/json", "schema"),
  );
  if (!check?.(value)) {
    throw new Error(`the stand-in answers ${route} wrongly: ${ajv.errorsText(check?.errors)}`);
  }
  return value;
}

function describedAt(route: string): Described {
  const [method = "", path = ""] = route.split(" ");
  const described = document.paths[path]?.[method.toLowerCase()];
  if (!described) throw new Error(`GitHub describes no ${route}`);
  return described;
}

function resolved(node: Json): Json {
  const [, , kind = "", name = ""] = String(node.$ref ?? "").split("/");
  return document.components[kind]?.[name] ?? node;
}

function against(schema: Json, value: unknown): string | undefined {
  const inside = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"github#/')) as Json;
  const check = ajv.compile(inside);
  return check(value) ? undefined : ajv.errorsText(check.errors);
}

function pointer(route: string, ...rest: string[]): string {
  const [method = "", path = ""] = route.split(" ");
  const parts = ["paths", path, method.toLowerCase(), ...rest];
  const escaped = (part: string) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
  return `github#/${parts.map(escaped).join("/")}`;
}

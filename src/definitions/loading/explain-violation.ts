import type { ErrorObject } from "ajv";
import { closest, distance } from "fastest-levenshtein";
import { pluralize } from "../../pluralize.ts";
import type { Position, Problem, ProblemCode } from "../problem.ts";
import type { DataPath, ParsedFile } from "./parse.ts";

/**
 * Whether another error of the same validation already says what this one says.
 * @param emptyTexts the places of those that say that a text is empty
 */
export function isConsequence(error: ErrorObject, emptyTexts: ReadonlySet<string>): boolean {
  // `if` repeats that its `then` failed; the branches of an `anyOf` or `oneOf` are told by that itself, and a bad name of
  // a property by what is bad about it.
  if (
    error.keyword === "if" ||
    error.keyword === "propertyNames" ||
    /\/(?:anyOf|oneOf)\/\d+\//.test(error.schemaPath)
  )
    return true;
  // An empty text fails its pattern too; that it is empty says enough.
  return error.keyword === "pattern" && emptyTexts.has(error.instancePath);
}

/** A schema violation in the words and with the code and place that a person needs. */
export function explainViolation(
  error: ErrorObject,
  file: ParsedFile,
  requiredTexts: WeakSet<object>,
): Problem {
  const path = dataPath(error.instancePath);
  const missing =
    error.keyword === "required" ||
    (error.keyword === "minLength" && isIn(requiredTexts, error.parentSchema));
  return {
    code: missing && !path.includes("mcpServers") ? "FF_MISSING_REQUIRED" : violationCode(error, path),
    message: nameOfFile(error, path, file) ?? describeViolation(error),
    path: file.path,
    ...place(error, path, file),
    severity: "error",
  };
}

/** What is named by its file or folder in many a format has a key `name` there. */
const NAMED_BY_PATH = /^(?:agents|automations|webhooks|outbound|runners)\/([^/]+?)(\/\w+\.md|\.md|\.yaml)$/;

function nameOfFile(error: ErrorObject, path: DataPath, file: ParsedFile): string | undefined {
  if (path.length > 0 || error.keyword !== "additionalProperties") return undefined;
  const [, name, end] = NAMED_BY_PATH.exec(file.path) ?? [];
  if (name === undefined || error.params.additionalProperty !== "name") return undefined;
  const named = end?.startsWith("/") ? "folder" : "file";
  return `unknown key "name": the name is taken from its ${named}, "${name}"; remove the key`;
}

function place(error: ErrorObject, path: DataPath, file: ParsedFile): Position {
  if (error.keyword === "additionalProperties") return file.atKey([...path, error.params.additionalProperty]);
  if (error.keyword === "not") {
    // `not: {required: [a, b]}` forbids the last one beside the others.
    const forbidden: unknown = error.parentSchema?.not?.required?.at?.(-1);
    if (typeof forbidden === "string") return file.atKey([...path, forbidden]);
  }
  return file.at(path);
}

function violationCode(error: ErrorObject, path: DataPath): ProblemCode {
  if (path[0] === "schemaVersion") return "FF_UNSUPPORTED_VERSION";
  if (path[0] === "triggers" && path.length > 1) return triggerCode(error, path);
  if (path.includes("mcpServers")) return "FF_INVALID_MCP";
  if (error.keyword === "additionalProperties") return "FF_UNKNOWN_FIELD";
  if (error.keyword === "type") return "FF_TYPE_MISMATCH";
  return "FF_INVALID_VALUE";
}

function triggerCode(error: ErrorObject, path: DataPath): ProblemCode {
  const [, , key] = path;
  if (key === "filter") return "FF_INVALID_FILTER";
  if (error.keyword === "additionalProperties") return "FF_UNKNOWN_FIELD";
  if (error.keyword === "type") return "FF_TYPE_MISMATCH";
  if (key === "event") return "FF_INVALID_EVENT";
  return "FF_INVALID_TRIGGER";
}

/** What a violation is, in a sentence that names the place, what was expected and what was found. */
export function describeViolation(error: ErrorObject): string {
  const path = dataPath(error.instancePath);
  const name = path.length > 0 ? `"${formatPath(path)}"` : "the document";
  const { params, data } = error;
  const description = error.parentSchema?.description;
  switch (error.keyword) {
    case "required": {
      const meaning = error.parentSchema?.properties?.[params.missingProperty]?.description;
      return `missing key "${params.missingProperty}"${meaning ? ` (${sentence(meaning)})` : ""}`;
    }
    case "dependentRequired":
      return `missing key "${params.missingProperty}": "${params.property}" is only valid together with it`;
    case "additionalProperties": {
      const known = Object.keys(error.parentSchema?.properties ?? {});
      return `unknown key "${params.additionalProperty}"${suggestion(params.additionalProperty, known)}`;
    }
    case "type":
      return `${name}: expected ${expectedTypes(params.type)}${example(error)}, found ${found(data)}`;
    case "enum":
      return `${name}: expected ${oneOf(params.allowedValues)}, found ${found(data)}${hint(data, params.allowedValues)}`;
    case "const":
      return `${name}: expected ${JSON.stringify(params.allowedValue)}, found ${found(data)}`;
    case "minLength":
      return `${name}: expected a non-empty string`;
    case "maxLength":
      return `${name}: expected at most ${params.limit} characters, found ${String(data).length}`;
    case "pattern":
      return `${name}: found ${found(data)}, expected a string that matches ${params.pattern}${description ? ` (${sentence(description)})` : ""}`;
    case "minItems":
    case "maxItems":
      return `${name}: expected at ${error.keyword === "minItems" ? "least" : "most"} ${pluralize(params.limit, "entry", "entries")}, found ${(data as unknown[]).length}`;
    case "uniqueItems":
      return `${name}: entries ${params.j + 1} and ${params.i + 1} are the same`;
    case "minProperties":
      return `${name}: expected at least one key`;
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return `${name}: expected a number ${params.comparison} ${params.limit}, found ${found(data)}`;
    case "x-text":
      return `${name}: ${error.message}`;
    default:
      return description
        ? `${name}: ${sentence(description)}`
        : `${name}: ${error.message ?? "is not valid"}`;
  }
}

/** Where a text stands for a mapping, the keys that the mapping has to have. */
function example({ params, data, parentSchema }: ErrorObject): string {
  const keys: unknown = parentSchema?.required;
  if (params.type !== "object" || typeof data !== "string" || !Array.isArray(keys)) return "";
  return ` such as { ${keys.map((key) => `${key}: …`).join(", ")} }`;
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? JSON.stringify(values[0]) : `one of ${values.join(", ")}`;
}

/** "did you mean" for a text that is close to a known one, else the list of what is known. */
function suggestion(text: string, known: readonly string[]): string {
  if (known.length === 0) return "";
  return hint(text, known) || `; expected one of ${known.join(", ")}`;
}

function hint(data: unknown, known: readonly unknown[]): string {
  if (typeof data !== "string" || data.length > 60) return "";
  const candidates = known.filter((value): value is string => typeof value === "string");
  if (candidates.length === 0) return "";
  const lowered = data.toLowerCase();
  const best = closest(
    lowered,
    candidates.map((candidate) => candidate.toLowerCase()),
  );
  const near = distance(lowered, best) <= Math.max(2, Math.floor(data.length / 4));
  return near ? `: did you mean "${candidates.find((candidate) => candidate.toLowerCase() === best)}"?` : "";
}

/** `triggers[0].filter.webhook_ids`, as a person would write it. */
export function formatPath(path: DataPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? step : `${text}.${step}`;
  }, "");
}

/** The steps of a JSON pointer. */
export function dataPath(pointer: string): DataPath {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

const TYPE_WORDS: Record<string, string> = {
  array: "a list",
  object: "keys and values (a mapping)",
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "true or false",
  null: "null",
};

function expectedTypes(type: string | string[]): string {
  const words = [type].flat().map((one) => TYPE_WORDS[one] ?? one);
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function found(data: unknown): string {
  if (Array.isArray(data)) return "a list";
  if (data === null) return "nothing (null)";
  if (typeof data === "object") return "a mapping";
  return JSON.stringify(typeof data === "string" && data.length > 80 ? `${data.slice(0, 80)}…` : data);
}

/** A schema description inside another sentence. */
function sentence(description: string): string {
  return description.replace(/\.$/, "");
}

function isIn(set: WeakSet<object>, schema: unknown): boolean {
  return typeof schema === "object" && schema !== null && set.has(schema);
}

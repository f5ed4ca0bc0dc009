import {
  Ajv2020,
  type ErrorObject,
  type FuncKeywordDefinition,
  type ValidateFunction,
} from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { readAsset } from "../../platform/assets.ts";
import { whyUnstorable } from "../../platform/storable-text.ts";
import { parseInstant } from "../../time/instant.ts";
import { MAX_PROBLEMS_OF_FILE, type Problem } from "../problem.ts";
import { explainViolation, isConsequence } from "./explain-violation.ts";
import type { ParsedFile } from "./parse.ts";

/** Has a checker find equal entries of a list in one pass. Ajv compares each with each: seconds for a list made to be long. */
export function findEqualItemsInOnePass(ajv: Pick<Ajv2020, "removeKeyword" | "addKeyword">): void {
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword(UNIQUE_ITEMS);
}

const UNIQUE_ITEMS: FuncKeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  errors: "full",
  validate: Object.assign(
    function check(isAsked: boolean, items: unknown[]): boolean {
      const pair = isAsked ? firstEqualPair(items) : undefined;
      const failed: Partial<ErrorObject>[] = pair ? [{ keyword: "uniqueItems", params: pair }] : [];
      (check as { errors?: Partial<ErrorObject>[] }).errors = failed;
      return !pair;
    },
    { errors: [] },
  ),
};

/** The places of the first entry that was there before, and of the one that it is equal to. */
function firstEqualPair(items: readonly unknown[]): { i: number; j: number } | undefined {
  const seen = new Map<string, number>();
  for (const [i, item] of items.entries()) {
    const text = JSON.stringify(inOneOrder(item));
    const j = seen.get(text);
    if (j !== undefined) return { i, j };
    seen.set(text, i);
  }
  return undefined;
}

/** Two objects are equal whatever the order of their keys. */
function inOneOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOneOrder);
  if (typeof value !== "object" || value === null) return value;
  const keys = Object.keys(value).sort();
  // A list of its own kind, so that no list is equal to an object.
  return { entries: keys.map((key) => [key, inOneOrder((value as Record<string, unknown>)[key])]) };
}

/** The JSON Schemas of the definition files, one per kind; they are published, and editors read them too. */
export const DEFINITION_SCHEMAS = [
  "factory",
  "agent",
  "automation",
  "scorer",
  "runner",
  "webhook",
  "outbound",
  "benchmark_suite",
  "benchmark_suite_task",
  "filter_test",
] as const;
export type DefinitionSchema = (typeof DEFINITION_SCHEMAS)[number];

/** The one version of the definition format, as `schemaVersion` names it. */
export const SCHEMA_VERSION = "v1alpha1";

export type Violation = ErrorObject;

/** A test holds our schemas against their meta-schema, so that no start has to. Optimised code pays off too late. */
const OPTIONS = {
  allErrors: true,
  verbose: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
  validateSchema: false,
  code: { optimize: false },
} as const;

/** The text of a published schema, for example `v1alpha1/webhook.schema.json`. */
export function readSchema(name: string): string {
  return readAsset(`schemas/${name}`);
}

const ajv = new Ajv2020({ ...OPTIONS, allowUnionTypes: true });
findEqualItemsInOnePass(ajv);
const validators = new Map<string, ValidateFunction>();
/** The schemas of texts that are required: empty, they count as missing. */
const requiredTexts = new WeakSet<object>();

/** Holds a parsed file against the schema of its kind and reports every violation, as far as anybody reads them. */
export function validate(schema: DefinitionSchema | "millrace", file: ParsedFile): Problem[] {
  const check = validator(schema);
  if (check(file.data)) return [];
  const errors = check.errors?.slice(0, MAX_PROBLEMS_OF_FILE);
  return withoutConsequences(errors).map((error) => explainViolation(error, file, requiredTexts));
}

/** Makes checks of values against the schemas of an API description; `$ref`s name its components. */
export function schemaChecker(components: object, { fromText = false } = {}) {
  // Parameters of a URL are texts; they become what their schema says before they are checked.
  const own = new Ajv2020({
    ...OPTIONS,
    strict: false,
    ...(fromText ? { coerceTypes: "array" as const } : {}),
  });
  addFormats.default(own);
  findEqualItemsInOnePass(own);
  own.addFormat("base64", (text: string) => Buffer.from(text, "base64").toString("base64") === text);
  own.addFormat("instant", (text: string) => parseInstant(text) !== undefined);
  own.addKeyword(WHOLE_TEXT);
  own.addSchema({ $id: "api", components: { schemas: components } });
  return (schema: object) => {
    const check = own.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/')),
    );
    /** @returns the violations, none when the value fits */
    return (value: unknown): Violation[] => (check(value) ? [] : withoutConsequences(check.errors));
  };
}

interface TextLimits {
  maxBytes?: number;
  /** Whether it is one line or several: neither has control characters that are not white space, which terminals would obey. */
  lines?: "one" | "several";
}

/**
 * `x-text: {maxBytes, lines}` holds a text against what no schema can say: how many bytes it has in UTF-8, which characters are in
 * it, and that every database stores it as it is.
 */
const WHOLE_TEXT: FuncKeywordDefinition = {
  keyword: "x-text",
  type: "string",
  errors: "full",
  validate: Object.assign(
    function check(limits: TextLimits, text: string): boolean {
      const why = whyNotWhole(text, limits);
      const failed: Partial<ErrorObject>[] =
        why === undefined ? [] : [{ keyword: "x-text", message: why, params: {} }];
      (check as { errors?: Partial<ErrorObject>[] }).errors = failed;
      return why === undefined;
    },
    { errors: [] },
  ),
};

const CONTROL = { one: /\p{Cc}/u, several: /[^\P{Cc}\t\n\r]/u };

function whyNotWhole(text: string, { maxBytes, lines }: TextLimits): string | undefined {
  const why = whyUnstorable(text);
  if (why !== undefined) return why;
  const control = lines && CONTROL[lines].exec(text)?.[0].codePointAt(0)?.toString(16).padStart(4, "0");
  if (control !== undefined)
    return `expected text without control characters, found U+${control.toUpperCase()}`;
  const bytes = maxBytes === undefined ? 0 : Buffer.byteLength(text);
  return maxBytes !== undefined && bytes > maxBytes
    ? `expected at most ${maxBytes} bytes of UTF-8, found ${bytes}`
    : undefined;
}

function withoutConsequences(errors: ErrorObject[] | null | undefined): ErrorObject[] {
  const all = errors ?? [];
  const emptyTexts = new Set(
    all.flatMap(({ keyword, instancePath }) => (keyword === "minLength" ? [instancePath] : [])),
  );
  return all.filter((error) => !isConsequence(error, emptyTexts));
}

function validator(schema: DefinitionSchema | "millrace"): ValidateFunction {
  let check = validators.get(schema);
  if (!check) {
    const common = "common.schema.json";
    if (schema !== "millrace" && !ajv.getSchema(common))
      ajv.addSchema(parseSchema(`${SCHEMA_VERSION}/common`));
    check = ajv.compile(parseSchema(schema === "millrace" ? schema : `${SCHEMA_VERSION}/${schema}`));
    validators.set(schema, check);
  }
  return check;
}

function parseSchema(name: string): object {
  const schema = JSON.parse(readSchema(`${name}.schema.json`));
  collectRequiredTexts(schema);
  return schema;
}

function collectRequiredTexts(schema: unknown): void {
  if (typeof schema !== "object" || schema === null) return;
  const { required, properties } = schema as { required?: string[]; properties?: Record<string, object> };
  for (const key of Array.isArray(required) ? required : []) {
    const property = properties?.[key];
    if (property) requiredTexts.add(property);
  }
  for (const value of Object.values(schema)) collectRequiredTexts(value);
}

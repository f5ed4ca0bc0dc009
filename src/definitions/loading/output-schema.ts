import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { errorMessage } from "../../errors/error.ts";
import { FILE_START, type Problem } from "../problem.ts";
import type { OutputSchemaFile } from "../tree.ts";
import { dataPath, describeViolation, isConsequence } from "./explain-violation.ts";
import { type DataPath, parseYaml } from "./parse.ts";
import { findEqualItemsInOnePass } from "./validate.ts";

/** The JSON Schema of an answer is a part of each run that has it, and compiling it takes time with its size. */
export const SCHEMA_LIMITS = { bytes: 32 * 1024, depth: 32, patternLength: 1_000 } as const;

/** What keeps a value from being the JSON Schema of answers, and where in it that stands. */
export interface SchemaProblem {
  at: DataPath;
  message: string;
}

/** Tells what is wrong with an answer, the first things of it, a sentence each; nothing for one that fits. */
export type AnswerCheck = (answer: unknown) => string[];

const DIALECTS: Readonly<Record<string, "draft-07" | "2020-12">> = {
  "https://json-schema.org/draft/2020-12/schema": "2020-12",
  "http://json-schema.org/draft-07/schema": "draft-07",
};

/** Their values are data, in which the words of a schema mean nothing. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);
/** In these, names are anybody's. */
const NAMED_KEYWORDS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "dependencies",
  "dependentRequired",
  "$defs",
  "definitions",
]);
const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"] as const;

/** So many things that are wrong with an answer are reported. */
const MAX_REPORTED = 5;
const MAX_SENTENCE = 300;

/**
 * Checks a schema by what an answer's can be, and by the meta-schema of its draft. Nothing is fetched.
 * @returns what checks answers; or the problems
 */
export function compileOutputSchema(schema: unknown): { check: AnswerCheck } | { problems: SchemaProblem[] } {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema))
    return { problems: [{ at: [], message: "expected a JSON Schema, which is an object" }] };
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  if (bytes > SCHEMA_LIMITS.bytes) {
    const message = `is ${bytes} bytes; the limit for the schema of an answer is ${SCHEMA_LIMITS.bytes} bytes`;
    return { problems: [{ at: [], message }] };
  }
  const dialect = dialectOf(schema);
  if (dialect === undefined) {
    const message = `expected one of ${Object.keys(DIALECTS).join(", ")}; without $schema, the schema is read as draft 2020-12`;
    return { problems: [{ at: ["$schema"], message }] };
  }
  const problems = problemsIn(schema);
  if (problems.length > 0) return { problems };
  const wrong = violations(dialect, schema);
  if (wrong.length > 0) return { problems: wrong };
  try {
    const validate = checkerOf(dialect).compile(schema);
    // A schema that leads back to itself, without a step into the answer, ends with a full stack.
    for (const some of [null, {}, [], "", 0]) validate(some);
    return { check: (answer) => sentencesOf(validate, answer) };
  } catch (error) {
    const why =
      error instanceof RangeError
        ? "it refers to itself without end"
        : errorMessage(error).slice(0, MAX_SENTENCE);
    return { problems: [{ at: [], message: `cannot be used: ${why}` }] };
  }
}

function dialectOf(schema: object): "draft-07" | "2020-12" | undefined {
  const named = (schema as { $schema?: unknown }).$schema;
  if (named === undefined) return "2020-12";
  return typeof named === "string" ? DIALECTS[named.replace(/#$/, "")] : undefined;
}

/** Compiled once: that takes longer than any schema of an answer. */
const ofMeta = new Map<string, Ajv>();

/** What in a schema is not as its draft has it: one thing at a place. */
function violations(dialect: "draft-07" | "2020-12", schema: object): SchemaProblem[] {
  const ajv = ofMeta.get(dialect) ?? checkerOf(dialect);
  ofMeta.set(dialect, ajv);
  if (ajv.validateSchema(schema)) return [];
  const places = new Map<string, ErrorObject>();
  for (const error of ajv.errors ?? [])
    if (!isConsequence(error, NO_TEXTS) && !places.has(error.instancePath))
      places.set(error.instancePath, error);
  const first = [...places.values()].slice(0, MAX_REPORTED);
  return (first.length > 0 ? first : (ajv.errors ?? []).slice(0, 1)).map((error) => ({
    at: dataPath(error.instancePath),
    message: `is not valid in JSON Schema ${dialect}: ${sentence(error)}`,
  }));
}

/** What is inlined is compiled at each place that refers to it, which could be without end. */
const OPTIONS: Options = {
  allErrors: true,
  verbose: true,
  // What every object inherits is no part of an answer.
  ownProperties: true,
  strict: false,
  inlineRefs: false,
  validateFormats: true,
  // Done before, by a checker that is kept.
  validateSchema: false,
  logger: false,
  code: { optimize: false },
};

/** One for each schema: what a schema calls itself is known to no other. */
function checkerOf(dialect: "draft-07" | "2020-12"): Ajv {
  const ajv = dialect === "2020-12" ? new Ajv2020(OPTIONS) : new Ajv(OPTIONS);
  addFormats.default(ajv);
  findEqualItemsInOnePass(ajv);
  return ajv;
}

/** What the meta-schemas do not say: how deep it goes, what it refers to, and its patterns. */
function problemsIn(schema: object): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  function look(value: unknown, at: DataPath, isNamed: boolean): void {
    if (typeof value !== "object" || value === null || problems.length >= MAX_REPORTED) return;
    if (at.length > SCHEMA_LIMITS.depth) {
      problems.push({ at, message: `is nested more than ${SCHEMA_LIMITS.depth} levels deep` });
      return;
    }
    if (!isNamed && !Array.isArray(value)) problems.push(...ownProblems(value, at));
    for (const [key, inner] of Object.entries(value)) {
      if (!isNamed && DATA_KEYWORDS.has(key)) continue;
      const step = Array.isArray(value) ? Number(key) : key;
      // Ajv passes over it.
      if (key === "__proto__")
        problems.push({ at: [...at, key], message: "is a name that cannot be checked" });
      look(inner, [...at, step], !isNamed && NAMED_KEYWORDS.has(key));
    }
  }
  look(schema, [], false);
  return problems;
}

function ownProblems(schema: object, at: DataPath): SchemaProblem[] {
  const { pattern, patternProperties, $id, $async } = schema as Record<string, unknown>;
  const references = REFERENCES.flatMap((key): SchemaProblem[] => {
    const target = (schema as Record<string, unknown>)[key];
    if (typeof target !== "string" || target.startsWith("#")) return [];
    const message = `refers to ${JSON.stringify(target.slice(0, 200))}: expected a place in this schema, such as #/$defs/name; nothing is fetched`;
    return [{ at: [...at, key], message }];
  });
  const named = typeof patternProperties === "object" && patternProperties !== null ? patternProperties : {};
  const patterns = [
    ...(typeof pattern === "string" ? [{ at: [...at, "pattern"], source: pattern }] : []),
    ...Object.keys(named).map((source) => ({ at: [...at, "patternProperties", source], source })),
  ];
  const isInner = at.length > 0 && typeof $id === "string" && !$id.startsWith("#");
  return [
    ...references,
    // Ajv would answer with a promise, which is no refusal.
    ...($async === undefined ? [] : [{ at: [...at, "$async"], message: "is not a keyword of JSON Schema" }]),
    ...(isInner
      ? [{ at: [...at, "$id"], message: "expected no $id below the top: use $defs and #/$defs/name" }]
      : []),
    ...patterns.flatMap((each) => {
      const message = patternProblem(each.source);
      return message === undefined ? [] : [{ at: each.at, message }];
    }),
  ];
}

function patternProblem(source: string): string | undefined {
  if (source.length > SCHEMA_LIMITS.patternLength)
    return `the pattern has ${source.length} characters; the limit is ${SCHEMA_LIMITS.patternLength}`;
  try {
    new RegExp(source, "u");
    return undefined;
  } catch (error) {
    return errorMessage(error).slice(0, MAX_SENTENCE);
  }
}

function sentencesOf(validate: ValidateFunction, answer: unknown): string[] {
  if (validate(answer)) return [];
  const all = validate.errors ?? [];
  const own = all.filter((error) => !isConsequence(error, NO_TEXTS));
  return [...new Set((own.length > 0 ? own : all).slice(0, 2 * MAX_REPORTED).map(sentence))].slice(
    0,
    MAX_REPORTED,
  );
}

const NO_TEXTS: ReadonlySet<string> = new Set();

function sentence(error: ErrorObject): string {
  const text = describeViolation(error).replace(/^the document:/, "the answer:");
  return text.length > MAX_SENTENCE ? `${text.slice(0, MAX_SENTENCE)}…` : text;
}

/** A JSON file, which is read when an automation names it: others next to automations are anybody's. */
export function outputSchemaFile(path: string, text: string | undefined): OutputSchemaFile {
  let known: ReturnType<OutputSchemaFile["read"]> | undefined;
  return {
    path,
    read() {
      known ??= readSchemaFile(path, text);
      return known;
    },
  };
}

function readSchemaFile(path: string, text: string | undefined): ReturnType<OutputSchemaFile["read"]> {
  const problem = (message: string, at: { line: number; column: number } = FILE_START): Problem => {
    return { code: "FF_INVALID_DOCUMENT", message, path, ...at, severity: "error" };
  };
  if (text === undefined) return { problems: [problem("is not UTF-8 text")] };
  if (text.length > 4 * SCHEMA_LIMITS.bytes) {
    const message = `has ${text.length} characters; the limit for the schema of an answer is ${SCHEMA_LIMITS.bytes} bytes without white space`;
    return { problems: [problem(message)] };
  }
  let schema: unknown;
  try {
    schema = JSON.parse(text);
  } catch (error) {
    return { problems: [problem(`is not JSON: ${errorMessage(error)}`, placeIn(text, errorMessage(error)))] };
  }
  const compiled = compileOutputSchema(schema);
  if ("check" in compiled) return { schema: schema as Record<string, unknown> };
  // JSON is YAML, of which is known where everything stands.
  const parsed = parseYaml(path, text);
  const problems = compiled.problems.map(({ at, message }) => {
    const place = "file" in parsed ? parsed.file.at(at) : FILE_START;
    return problem(at.length > 0 ? `"${at.join(".")}": ${message}` : message, place);
  });
  return { problems };
}

/** Where V8 stopped reading JSON: its message names the offset, or the line. */
function placeIn(text: string, message: string): { line: number; column: number } {
  const position = Number(/at position (\d+)/.exec(message)?.[1] ?? Number.NaN);
  if (Number.isNaN(position)) return FILE_START;
  const before = text.slice(0, position).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

import { describe, expect, test } from "vitest";
import { compileOutputSchema, SCHEMA_LIMITS } from "../../src/definitions/loading/output-schema.ts";
import { automationWith, FACTORY, load, problemsOf } from "../given/definition.ts";

const VERDICT = {
  type: "object",
  required: ["verdict"],
  properties: { verdict: { enum: ["pass", "fail"] }, score: { type: "number", minimum: 0 } },
  additionalProperties: false,
};

const NIGHTLY = (output: string) =>
  automationWith(
    `triggers: [{ provider: schedule, event: cron_fired, schedule: { cron: "0 3 * * *" } }]\nmillrace: { output: ${JSON.stringify(output)} }`,
  );

const AT = "automations/nightly/automation.md";

describe("an automation", () => {
  test("has the schema of the file that it names, in both of its forms", async () => {
    const files = {
      ...FACTORY,
      [AT]: NIGHTLY("schemas/verdict.json"),
      "automations/nightly/schemas/verdict.json": `\t${JSON.stringify(VERDICT, null, "\t")}\n`,
      "automations/weekly.md": NIGHTLY("weekly.json"),
      "automations/weekly.json": '{ "type": "array" }',
    };
    expect(await problemsOf(files)).toEqual([]);
    const { definition } = await load(files);
    const schemas = definition?.automations.map(({ name, execution }) => [name, execution.outputSchema]);
    expect(Object.fromEntries(schemas ?? [])).toEqual({ nightly: VERDICT, weekly: { type: "array" } });
  });

  test.each(["../schema.json", "/schema.json", "a//b.json", "schema.yaml", "a\\b.json", "https://x.json"])(
    "cannot name %s",
    async (output) => {
      const files = { ...FACTORY, [AT]: NIGHTLY(output), "automations/schema.json": "{}" };
      expect(await problemsOf(files)).toContain(`FF_INVALID_VALUE ${AT}:3:21`);
    },
  );

  test("is told at its line of a file that is not there, and in the file of what is wrong with it", async () => {
    const withSchema = (text: string) =>
      problemsOf({ ...FACTORY, [AT]: NIGHTLY("schema.json"), "automations/nightly/schema.json": text });
    const place = "automations/nightly/schema.json";
    expect(await problemsOf({ ...FACTORY, [AT]: NIGHTLY("schema.json") })).toEqual([
      `FF_INVALID_REFERENCE ${AT}:3:21`,
    ]);
    expect(await withSchema('{\n  "type": "object",\n}')).toEqual([`FF_INVALID_DOCUMENT ${place}:3:1`]);
    expect(await withSchema("[]")).toEqual([`FF_INVALID_DOCUMENT ${place}:1:1`]);
    expect(await withSchema('{\n  "type": "objekt"\n}')).toEqual([`FF_INVALID_DOCUMENT ${place}:2:11`]);
    expect(await withSchema('{\n  "not": {\n    "$ref": "https://example.org/x.json"\n  }\n}')).toEqual([
      `FF_INVALID_DOCUMENT ${place}:3:13`,
    ]);
    expect(await withSchema('{\n  "properties": { "a": {\n    "pattern": "(" } }\n}')).toEqual([
      `FF_INVALID_DOCUMENT ${place}:3:16`,
    ]);
  });

  test("is told of JSON beside it that nothing names, whatever is in it", async () => {
    const files = { ...FACTORY, "automations/nightly/notes.json": "no JSON" };
    expect(await problemsOf(files)).toEqual(["FF_UNSUPPORTED_PATH automations/nightly/notes.json:1:1"]);
  });
});

describe("a schema", () => {
  const problemOf = (schema: unknown) => {
    const compiled = compileOutputSchema(schema);
    return "problems" in compiled ? compiled.problems[0]?.message : undefined;
  };
  const sentences = (schema: object, answer: unknown) => {
    const compiled = compileOutputSchema(schema);
    return "check" in compiled ? compiled.check(answer) : compiled.problems;
  };

  test("tells what is wrong with an answer", () => {
    expect(sentences(VERDICT, { verdict: "pass", score: 1 })).toEqual([]);
    expect(sentences(VERDICT, { verdict: "perhaps", score: -1 })).toEqual([
      '"verdict": expected one of pass, fail, found "perhaps"',
      '"score": expected a number >= 0, found -1',
    ]);
    expect(sentences({ type: "object" }, "text")).toEqual([
      'the answer: expected keys and values (a mapping), found "text"',
    ]);
  });

  test("is read as its draft has it", () => {
    const tuple = { type: "array", items: [{ type: "string" }], additionalItems: false };
    const draft07 = { $schema: "http://json-schema.org/draft-07/schema#", ...tuple };
    expect(sentences(draft07, ["a", "b"])).toHaveLength(1);
    expect(sentences(draft07, ["a"])).toEqual([]);
    expect(problemOf(tuple)).toMatch(/not valid in JSON Schema 2020-12/);
    expect(sentences({ prefixItems: [{ type: "string" }], items: false }, ["a", "b"])).toHaveLength(1);
    expect(problemOf({ $schema: "http://json-schema.org/draft-04/schema#" })).toMatch(/^expected one of/);
  });

  test("may refer to itself, for answers of any depth", () => {
    const tree = {
      $ref: "#/$defs/node",
      $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
    };
    expect(sentences(tree, { next: { next: {} } })).toEqual([]);
    expect(sentences(tree, { next: { next: 1 } })).toHaveLength(1);
  });

  test.each([
    ["that refers elsewhere", { $ref: "https://example.org/schema.json" }, /nothing is fetched/],
    ["that refers to a file", { properties: { a: { $ref: "other.json" } } }, /nothing is fetched/],
    ["that refers to nothing", { $ref: "#/$defs/none" }, /cannot be used: can't resolve reference/],
    ["that is itself without end", { $ref: "#" }, /refers to itself without end/],
    ["with a pattern that is none", { pattern: "(" }, /Invalid regular expression/],
    ["with a huge pattern", { pattern: "a".repeat(1_001) }, /the limit is 1000/],
    ["with a keyword of the validator alone", { $async: true, type: "object" }, /not a keyword/],
    ["that is too large", { description: "x".repeat(SCHEMA_LIMITS.bytes) }, /the limit for the schema/],
    [
      "that is too deep",
      Array.from({ length: 40 }).reduce<object>((items) => ({ items }), {}),
      /nested more than 32 levels/,
    ],
  ])("%s is refused", (_, schema, message) => {
    expect(problemOf(schema)).toMatch(message);
  });

  test("does not take what every object inherits for a part of an answer", () => {
    expect(sentences({ required: ["toString", "__proto__"] }, {})).toHaveLength(2);
    expect(problemOf(JSON.parse('{ "properties": { "__proto__": {} } }'))).toMatch(/cannot be checked/);
  });

  test("may have the words of a schema in data, and as the names of properties", () => {
    const schema = {
      properties: { $ref: { type: "string" }, pattern: { const: { $ref: "https://example.org" } } },
    };
    expect(problemOf(schema)).toBeUndefined();
  });
});

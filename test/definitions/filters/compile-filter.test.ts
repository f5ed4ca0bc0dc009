import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileFilter } from "../../../src/definitions/filters/compile-filter.ts";
import {
  checkPattern,
  type FieldOperators,
  type PayloadPattern,
} from "../../../src/definitions/filters/filter.ts";

/** The rules of payload filters, written down once more as plainly as possible. */
function naivelyMatches(pattern: PayloadPattern, payload: unknown): boolean {
  return Object.keys(pattern).length === 0 || objectMatches(pattern, payload);
}

function objectMatches(pattern: PayloadPattern, payload: unknown): boolean {
  if (Array.isArray(payload))
    return payload.some((element) => !Array.isArray(element) && objectMatches(pattern, element));
  if (payload === null || typeof payload !== "object") return false;
  const object = payload as Record<string, unknown>;
  return Object.entries(pattern).every(([key, wanted]) => {
    const present = Object.keys(object).includes(key);
    const value = present ? object[key] : undefined;
    const held = Array.isArray(value) ? value : [value];
    if (Array.isArray(wanted)) return present && wanted.some((one) => held.some((other) => one === other));
    const keys = Object.keys(wanted);
    if (keys.length === 0) return present;
    if (!keys.some((name) => ["in", "not_in", "exists"].includes(name)))
      return present && objectMatches(wanted as PayloadPattern, value);
    const { in: included, not_in: excluded, exists } = wanted as FieldOperators;
    if (exists !== undefined && exists !== present) return false;
    if (included && !(present && included.some((one) => held.includes(one)))) return false;
    return !(excluded && present && excluded.some((one) => held.includes(one)));
  });
}

const keys = fc.constantFrom("a", "b", "c", "__proto__", "in", "length");
const patternKeys = fc.constantFrom("a", "b", "c", "__proto__", "length");
const scalars = fc.constantFrom<unknown>("x", "y", "", 0, 1, 1.5, true, false, null);
const payloads = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small" }, scalars, fc.array(tie("value"), { maxLength: 4 }), tie("object")),
  object: fc.dictionary(keys, tie("value"), { maxKeys: 4, noNullPrototype: true }),
})).value;
const sets = fc.uniqueArray(scalars, { minLength: 1, maxLength: 4 });
const operators = fc
  .record({ in: sets, not_in: sets, exists: fc.boolean() }, { requiredKeys: [] })
  .filter((value) => Object.keys(value).length > 0);
const patterns = fc.letrec<{ field: unknown; pattern: PayloadPattern }>((tie) => ({
  field: fc.oneof({ depthSize: "small", withCrossShrink: true }, sets, operators, tie("pattern")),
  pattern: fc.dictionary(patternKeys, tie("field"), {
    maxKeys: 3,
    noNullPrototype: true,
  }) as fc.Arbitrary<PayloadPattern>,
})).pattern;
const validPatterns = patterns.filter((pattern) => checkPattern(pattern).length === 0);

describe("a compiled filter", () => {
  test("matches what a naive reading of the rules matches", () => {
    fc.assert(
      fc.property(validPatterns, payloads, (pattern, payload) => {
        expect(compileFilter(pattern).matches(payload)).toBe(naivelyMatches(pattern, payload));
      }),
      { numRuns: 20_000 },
    );
  });

  test("is explained by clauses that all pass exactly when it matches", () => {
    fc.assert(
      fc.property(validPatterns, payloads, (pattern, payload) => {
        const filter = compileFilter(pattern);
        expect(filter.explain(payload).every((clause) => clause.passed)).toBe(filter.matches(payload));
      }),
      { numRuns: 10_000 },
    );
  });

  test.each<[string, PayloadPattern, unknown, boolean]>([
    ["a number equals itself however it is written", { n: [1] }, JSON.parse('{"n":1.0}'), true],
    ["a number is not its text", { n: [1] }, { n: "1" }, false],
    ["texts differ in case", { s: ["Open"] }, { s: "open" }, false],
    ["null is a value", { n: [null] }, { n: null }, true],
    ["null is present", { n: { exists: true } }, { n: null }, true],
    ["a missing field is not in any set", { n: ["x"] }, {}, false],
    ["a missing field is outside of every set", { n: { not_in: ["x"] } }, {}, true],
    ["a field must not exist", { n: { exists: false } }, {}, true],
    ["an array of texts overlaps", { labels: ["bug"] }, { labels: ["ui", "bug"] }, true],
    ["an array of texts does not overlap", { labels: { not_in: ["bug"] } }, { labels: ["ui"] }, true],
    ["an empty array holds nothing", { labels: ["bug"] }, { labels: [] }, false],
    ["an object is no scalar", { n: ["x"] }, { n: { x: 1 } }, false],
    ["a nested pattern requires its field", { pr: { state: { not_in: ["x"] } } }, {}, false],
    ["an empty nested pattern asks for presence", { pr: {} }, { pr: 0 }, true],
    [
      "any element of an array of objects",
      { commits: { author: ["ann"] } },
      { commits: [{ author: "bob" }, { author: "ann" }] },
      true,
    ],
    ["one element has to satisfy all", { c: { a: [1], b: [2] } }, { c: [{ a: 1 }, { b: 2 }] }, false],
    ["a payload that is an array matches by an element", { a: [1] }, [{ a: 2 }, { a: 1 }], true],
    ["a payload that is a scalar never matches", { a: { not_in: [1] } }, "a", false],
    ["a payload that is null never matches", { a: { exists: false } }, null, false],
    ["an empty filter is none, whatever comes", {}, "a", true],
    ["an empty filter takes an array of scalars", {}, [1, null], true],
    ["an inherited property is not a field", { constructor: { exists: true } }, {}, false],
    [
      "__proto__ is a field like any other",
      JSON.parse('{"__proto__":["x"]}'),
      JSON.parse('{"__proto__":"x"}'),
      true,
    ],
  ])("%s", (_, pattern, payload, expected) => {
    expect(compileFilter(pattern).matches(payload)).toBe(expected);
  });

  test("takes steps for each value of a body once, however many fields it names", () => {
    const names = Array.from({ length: 63 }, (_, n) => `k${n}`);
    const filter = compileFilter({
      ...Object.fromEntries(names.map((name) => [name, { not_in: ["x"] }])),
      last: { exists: true },
    });
    const stepsOver = (body: unknown): number => {
      let steps = 0;
      filter.matches(body, (done) => {
        steps += done;
      });
      return steps;
    };
    const empty = Array.from({ length: 1_000 }, () => ({}));
    const full = Array.from({ length: 1_000 }, () => ({ last: 1, k62: "x" }));
    const long = Array.from({ length: 10 }, () => ({
      ...Object.fromEntries(names.map((name) => [`other ${name}`, 1])),
      last: 1,
      k0: "x",
    }));
    expect(stepsOver(empty)).toBeLessThanOrEqual(1_000);
    expect(stepsOver(full)).toBeLessThanOrEqual(4_000);
    expect(stepsOver(long)).toBeLessThanOrEqual(10 * 66);
  });

  test.each([2 ** 53, -(2 ** 53), 9007199254740993n, 1e300])(
    "refuses %s, which others would equal",
    (number) => {
      const [problem] = checkPattern({ a: { b: { not_in: [1, Number(number)] } } });
      expect(problem).toMatchObject({ at: ["a", "b", "not_in", 1] });
      expect(problem?.message).toContain("9007199254740991");
      expect(checkPattern({ a: [Number.MAX_SAFE_INTEGER, 0.5, -1e-9] })).toEqual([]);
    },
  );

  test("tells what was expected and found, and where", () => {
    const filter = compileFilter({ status: ["failed"], pr: { labels: { not_in: ["wip"] } } });
    expect(filter.explain({ status: "passed", pr: [{ labels: ["wip"] }] })).toEqual([
      { field: "status", passed: false, expected: 'one of "failed"', found: '"passed"' },
      { field: "pr[0].labels", passed: false, expected: 'none of "wip"', found: '["wip"]' },
    ]);
  });

  test("survives a payload that nests deeper than the stack", () => {
    const payload = JSON.parse(`{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`);
    const filter = compileFilter({ a: ["x"] });
    expect(filter.matches(payload)).toBe(false);
    expect(filter.explain(payload)[0]?.passed).toBe(false);
  });
});

describe("a payload filter", () => {
  const nested = (depth: number): unknown => (depth === 0 ? ["x"] : { a: nested(depth - 1) });
  const wide = (fields: number) =>
    Object.fromEntries(Array.from({ length: fields }, (_, index) => [`f${index}`, [1]]));

  test.each<[string, unknown, string[]]>([
    ["ten keys deep is allowed", nested(10), []],
    ["eleven keys deep is refused", nested(11), ["a.a.a.a.a.a.a.a.a.a.a"]],
    ["operators are no level", { a: { a: { in: ["x"] } } }, []],
    ["64 fields are allowed", wide(64), []],
    ["65 fields are refused", wide(65), [""]],
    ["32 values are allowed", { a: Array.from({ length: 32 }, (_, i) => i) }, []],
    ["33 values are refused", { a: { not_in: Array.from({ length: 33 }, (_, i) => i) } }, ["a.not_in"]],
    ["an empty list is refused", { a: [] }, ["a"]],
    ["an empty in is refused", { a: { in: [] } }, ["a.in"]],
    ["a bare text is refused", { a: "x" }, ["a"]],
    ["a bare null is refused", { a: null }, ["a"]],
    ["operators mixed with fields are refused", { a: { in: ["x"], b: ["y"] } }, ["a.b"]],
    ["operators at the top are refused", { exists: true }, [""]],
    ["a value in both sets is refused", { a: { in: ["x", 1], not_in: [1] } }, ["a.not_in"]],
    ["a value of a field that must not exist is refused", { a: { exists: false, in: ["x"] } }, ["a.exists"]],
    ["exists has to be true or false", { a: { exists: "yes" } }, ["a.exists"]],
    ["a list is no value", { a: [["x"]] }, ["a.0"]],
    ["infinity is no value", { a: [Number.POSITIVE_INFINITY] }, ["a.0"]],
    ["a list as the whole is refused", ["x"], [""]],
    ["an empty filter is allowed", {}, []],
  ])("%s", (_, pattern, expected) => {
    expect(checkPattern(pattern).map((problem) => problem.at.join("."))).toEqual(expected);
  });
});

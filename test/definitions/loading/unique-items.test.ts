import { expect, test } from "vitest";
import { schemaChecker } from "../../../src/definitions/loading/validate.ts";
import { problemsOf, withFactoryLines } from "../../given/definition.ts";

const violations = schemaChecker({})({ type: "array", uniqueItems: true });

test.each<[string, unknown[], object[]]>([
  ["texts that differ", ["a", "b", "A"], []],
  ["a number and its text", [1, "1", true, "true", null, "null"], []],
  ["an object and a list like it", [{ a: 1 }, [["a", 1]], { entries: [["a", 1]] }], []],
  ["one text twice", ["a", "b", "a"], [{ i: 2, j: 0 }]],
  [
    "one object in two orders",
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ],
    [{ i: 1, j: 0 }],
  ],
])("of %s it is known whether two are equal", (_, items, pairs) => {
  expect(violations(items).map(({ params }) => params)).toEqual(pairs);
});

test("each entry of a list is checked once, however many there are", () => {
  let looks = 0;
  const items = Array.from({ length: 1_000 }, (_, n) => ({
    get n() {
      looks += 1;
      return n;
    },
  }));
  expect(violations(items)).toEqual([]);
  expect(looks).toBe(items.length);
});

test("a duplicate entry of a definition is reported at its list", async () => {
  const files = { "runners/r.yaml": "setupCommands: [a]\n" };
  expect(await problemsOf({ ...files, ...withFactoryLines("secrets: [A, B, A]\n") })).toEqual([
    "FF_INVALID_VALUE factory.yaml:5:10",
  ]);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileTitle } from "../../src/definitions/automation-title.ts";
import { compileEvent } from "../../src/definitions/events/compile-event.ts";
import { fieldValue } from "../../src/definitions/field-template.ts";
import { compileFilter } from "../../src/definitions/filters/compile-filter.ts";
import { compileKey } from "../../src/definitions/key-template.ts";
import { parseJson } from "../../src/edge/read-body.ts";
import { sentNumber } from "../../src/edge/sent-numbers.ts";

const read = (json: string) => parseJson(Buffer.from(json))?.value;

const NUMBERS = [
  ...["9007199254740993", "-9007199254740993", "123456789012345678901234567890", "1e999", "-1e999", "1e-999"],
  ...["1.10", "1.0", "0.1000000000000000055", "9007199254740991.4", "1E3", "-0", "7"],
];

describe.each(NUMBERS)("the number %s of a payload", (digits) => {
  const payload = read(`{ "a" : { "id":[ 1 ,${digits}]}, "id": ${digits} }`);

  test("stands in titles and keys as it was sent", () => {
    expect(compileTitle("Order {{id}} of {{a.id.1}}")(payload)).toBe(`Order ${digits} of ${digits}`);
    expect(compileKey("{{id}}-{{a.id.1}}", undefined)(payload)).toBe(`${digits}-${digits}`);
  });

  test("is shown by explanations of filters as it was sent", () => {
    const filter = compileFilter({ id: ["x"], a: { id: { in: ["x"] } } });
    expect(filter.explain(payload)).toMatchObject([
      { field: "id", found: digits },
      { field: "a.id", found: `[1,${digits}]` },
    ]);
  });
});

test.each(["9007199254740993", "7.0", "1e999"])(
  "explanations of an event show the number %s as it was sent",
  (digits) => {
    const { explain } = compileEvent({
      provider: "github",
      event: "pull_request_opened",
      filter: { pr_numbers: [5] },
    });
    const payload = read(`{"action":"opened","pull_request":{"number":${digits}}}`);
    expect(explain({ event: "pull_request", payload }).at(-1)).toMatchObject({
      field: "pr_numbers",
      passed: false,
      found: digits,
    });
  },
);

test("a key stands for the number that was read where it is repeated, escaped or within a text", () => {
  const payload = read(
    String.raw`{"x":"\"id\": 5.50, \\","id":1.50,"i\u0064":2.50,"list":[{"id":3.50},[4.50],"id",{"id":6.50}],"":7.50}`,
  );
  const title = compileTitle("{{id}} {{list.0.id}} {{list.1.0}} {{list.3.id}}");
  expect(title(payload)).toBe("2.50 3.50 4.50 6.50");
  expect(sentNumber(payload, [""], 7.5)).toBe("7.50");
});

test("a payload that was not read from a body has the digits that JavaScript gives, and no key from rounded ones", () => {
  expect(compileTitle("{{id}}")({ id: 1.5 })).toBe("1.5");
  expect(compileKey("{{id}}", undefined)({ id: 2 ** 53 })).toBeUndefined();
  expect(compileKey("{{id}}", undefined)({ id: Number.POSITIVE_INFINITY })).toBeUndefined();
});

test("every number of any payload is found where it stands", () => {
  const places = (value: unknown, path: string[] = []): [string[], number][] => {
    if (typeof value === "number") return [[path, value]];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, inner]) => places(inner, [...path, key]));
  };
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 1, 2), (value, indent) => {
      const payload = read(JSON.stringify({ value }, null, indent));
      for (const [path, number] of places(payload)) {
        expect(fieldValue(payload, path)).toBe(number);
        expect(Number(sentNumber(payload, path, number))).toBe(number);
      }
    }),
  );
});

test.each(['{"id":1.10}', "[1.10]"])(
  "nothing of a payload such as %s tells that its body is remembered",
  (json) => {
    const payload = read(json) as object;
    const path = [Object.keys(payload)[0] ?? ""];
    expect(sentNumber(payload, path, 1.1)).toBe("1.10");
    expect(payload).toStrictEqual(JSON.parse(json));
    expect(JSON.stringify(payload)).toBe(JSON.stringify(JSON.parse(json)));
    const shown: string[] = [];
    for (const key in payload) shown.push(key);
    expect(shown).toEqual(path);
    expect({ ...payload }).toStrictEqual({ ...JSON.parse(json) });
    expect(sentNumber(structuredClone(payload), path, 1.1)).toBeUndefined();
  },
);

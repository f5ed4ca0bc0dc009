import { describe, expect, test } from "vitest";
import { compileKey, keyProblem, MAX_KEY } from "../../src/definitions/key-template.ts";

const keyOf = (template: string, payload: unknown) => compileKey(template, undefined)(payload);

describe("a key", () => {
  test("is made of fields of the payload", () => {
    const payload = { repository: { full_name: "acme/shop" }, number: 7 };
    expect(keyOf("{{repository.full_name}}#{{number}}", payload)).toBe("acme/shop#7");
  });

  test.each([["{{a.b}}"], ["{{a}}-{{b}}"], ["{{list}}"], ["{{empty}}"], ["{{__proto__.x}}"]])(
    "is missing where the payload lacks a field: %s",
    (template) => {
      expect(keyOf(template, { a: 1, list: [1], empty: " " })).toBeUndefined();
    },
  );

  test("has at most 200 characters, and tells long values apart", () => {
    const long = "x".repeat(100_000);
    const [one, two] = [keyOf("{{a}}", { a: `${long}1` }), keyOf("{{a}}", { a: `${long}2` })];
    expect([...(one ?? "")].length).toBe(MAX_KEY);
    expect(one).not.toBe(two);
  });

  test("is the same where the text is: of another type, or of other fields without a separator", () => {
    expect(keyOf("{{a}}", { a: 7 })).toBe(keyOf("{{a}}", { a: "7" }));
    const [one, two] = [
      { a: "ab", b: "c" },
      { a: "a", b: "bc" },
    ];
    expect(keyOf("{{a}}{{b}}", one)).toBe(keyOf("{{a}}{{b}}", two));
    expect(keyOf("{{a}}/{{b}}", one)).not.toBe(keyOf("{{a}}/{{b}}", two));
  });

  test("tells values apart that look the same", () => {
    const keys = ["a b", "a\u00a0b", "a\u202eb", "a\u0000b", "ab"].map((a) => keyOf("{{a}}", { a }));
    expect(new Set(keys).size).toBe(5);
    for (const key of keys) expect(key).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  test("tells values apart that are made to look like a shortened one, and halves of surrogate pairs", () => {
    const short = keyOf("{{a}}", { a: "x".repeat(300) });
    expect(keyOf("{{a}}", { a: short })).not.toBe(short);
    expect(keyOf("{{a}}", { a: "\ud800" })).not.toBe(keyOf("{{a}}", { a: "\ud801" }));
  });

  test("is missing where a number has lost digits and its body is not there, so that it could be another one", () => {
    const read = (text: string) => keyOf("{{a}}", JSON.parse(`{"a": ${text}}`));
    expect(read("9007199254740991")).toBe("9007199254740991");
    expect([read("9007199254740992"), read("9007199254740993"), read("1e300")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(read('"9007199254740993"')).toBe("9007199254740993");
    expect(read("1.5")).toBe("1.5");
  });

  test("is no template of something else than fields", () => {
    expect(keyProblem("{{a.b}}")).toBeUndefined();
    expect(keyProblem("always the same")).toContain("names no payload field");
    for (const template of ["{{a", "a}}", "{{a | upper}}", "{{1 + 1}}", "{{}}"])
      expect(keyProblem(template)).toBeTruthy();
  });

  test("takes {{thread}} for a field where no provider has signed the payload", () => {
    const payload = { thread: "mine", event: { channel: "C", ts: "1.2" } };
    expect(compileKey("{{thread}}", undefined)(payload)).toBe("mine");
    expect(compileKey("{{thread}}", "slack")(payload)).toBe("slack:C/1.2");
  });
});

import { expect, test } from "vitest";
import { storable, unstorableTexts } from "../../src/platform/storable-text.ts";

test("every U+0000 in texts, keys and lists becomes U+FFFD", () => {
  expect(storable("a\0b\0")).toBe("a\ufffdb\ufffd");
  expect(storable({ "k\0": [1, "\0", { deep: "x\0" }], same: null })).toEqual({
    "k\ufffd": [1, "\ufffd", { deep: "x\ufffd" }],
    same: null,
  });
});

test("half of a surrogate pair becomes U+FFFD, and a whole pair stays", () => {
  expect(storable("\ud800a\udc00 \u{1f600}")).toBe("\ufffda\ufffd \u{1f600}");
});

test("what has none stays the very same value", () => {
  const value = { a: ["b", { c: 1 }], d: undefined, e: "\u{1f600}" };
  expect(storable(value)).toBe(value);
});

test("bytes and dates are no text", () => {
  const value = { bytes: Buffer.from("a\0"), at: new Date(0) };
  expect(storable(value)).toBe(value);
});

test("a key that is called __proto__ stays a key", () => {
  const value = storable(JSON.parse('{"__proto__":"a\\u0000"}'));
  expect(Object.entries(value)).toEqual([["__proto__", "a\ufffd"]]);
});

test("every text that cannot be stored is found, as far as they are asked for", () => {
  const value = { a: "\0", b: ["x", "\ud800"], "c\0": 1, d: { e: "\0" } };
  const paths = (options: Parameters<typeof unstorableTexts>[1]) =>
    unstorableTexts(value, options).map(({ path }) => path);
  expect(paths({ most: 9 })).toEqual([["a"], ["b", 1], ["c\0"], ["d", "e"]]);
  expect(paths({ most: 2 })).toHaveLength(2);
  expect(paths({ most: 9, isText: ([first]) => first !== "d" })).toHaveLength(3);
});

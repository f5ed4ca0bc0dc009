import fc from "fast-check";
import { expect, test } from "vitest";
import { parseYaml } from "../../../src/definitions/loading/parse.ts";

function isRounded(number: string): boolean | undefined {
  const read = parseYaml("a.yaml", `a: [x, { b: ${number} }]\n`);
  return "file" in read ? read.file.isRounded(["a", 1, "b"]) : undefined;
}

test.each([
  ...[
    "0.12345678901234567891",
    "1.0000000000000001",
    "9007199254740993",
    "1e400",
    "-0.30000000000000001",
    "1e-400",
  ],
  ...["123456789012345678901234567890", "0.10000000000000000000001e5"],
])("%s is rounded when it is read", (number) => {
  expect(isRounded(number)).toBe(true);
});

test.each([
  "0",
  "-0",
  "0.0",
  "1.10",
  "+1.5",
  "1e3",
  "1E-7",
  ".5",
  "100",
  "0.1",
  "1e21",
  "0x1F",
  "0o17",
  ".inf",
  ".nan",
  "'1.0000000000000001'",
])("%s is read as it is", (number) => {
  expect(isRounded(number)).toBe(false);
});

test("every number that JavaScript writes is read as it is", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      expect(isRounded(String(number))).toBe(false);
      expect(isRounded(number.toExponential())).toBe(false);
    }),
  );
});

test("a number with zeros without end is read in the time of its length", () => {
  expect(isRounded(`1${"0".repeat(500_000)}1`)).toBe(true);
  expect(isRounded(`1${"0".repeat(300)}`)).toBe(false);
});

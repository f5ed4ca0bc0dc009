import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileGlob } from "../../../src/definitions/filters/glob.ts";

/** The same meaning, told in the plainest way: tries everything that a wildcard can stand for. */
function fitsNaively(pattern: string, text: string, takesBelow: boolean): boolean {
  if (pattern === "") return text === "" || (takesBelow && text.startsWith("/"));
  const wildcard = /^\*\*\/|^\*\*|^\*/.exec(pattern)?.[0];
  if (wildcard === undefined)
    return pattern[0] === text[0] && fitsNaively(pattern.slice(1), text.slice(1), takesBelow);
  const rest = pattern.slice(wildcard.length);
  return Array.from({ length: text.length + 1 }, (_, length) => length).some((length) => {
    const stoodFor = text.slice(0, length);
    const mayStandFor =
      wildcard === "*"
        ? !stoodFor.includes("/")
        : wildcard === "**" || stoodFor === "" || stoodFor.endsWith("/");
    return mayStandFor && fitsNaively(rest, text.slice(length), takesBelow);
  });
}

const pattern = fc.array(fc.constantFrom("a", "b", "/", "*", "**", "**/", ".", "é", "🦊"), { maxLength: 9 });
const text = fc.array(fc.constantFrom("a", "b", "/", ".", "\n", "é", "🦊"), { maxLength: 9 });

/** How much work it is to hold a text against a pattern. */
function stepsOf(glob: string, against: string): number {
  let steps = 0;
  compileGlob(glob, { takesBelow: true })(against, (done) => {
    steps += done;
  });
  return steps;
}

describe("a pattern with wildcards", () => {
  test.each([true, false])(
    "means what trying everything finds (what lies below counts: %s)",
    (takesBelow) => {
      fc.assert(
        fc.property(pattern, text, (parts, letters) => {
          const [glob, against] = [parts.join(""), letters.join("")];
          expect(compileGlob(glob, { takesBelow })(against)).toBe(fitsNaively(glob, against, takesBelow));
        }),
        { numRuns: 5_000 },
      );
    },
  );

  test.each([
    ["**/a/**/a/**/b", "a/".repeat(2_000)],
    ["**a**a**a**a**a**b", "a".repeat(4_000)],
    ["*a*a*a*a*a*a*a*a*a*a*b", "a".repeat(4_000)],
    [`${"**/*".repeat(100)}b`, "a/".repeat(2_000)],
    ["*".repeat(1_001), "a".repeat(4_000)],
  ])("%j takes no more steps than its length times that of the text", (glob, against) => {
    expect(stepsOf(glob, against)).toBeLessThanOrEqual(glob.length * against.length);
    expect(stepsOf(glob, against.repeat(2))).toBeLessThanOrEqual(2.1 * stepsOf(glob, against));
  });
});

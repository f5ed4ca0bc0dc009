import { describe, expect, test } from "vitest";
import { callGist } from "../../dashboard/src/pages/run/transcript/call-gist.ts";
import { isErrorLine, lastErrorLines } from "../../dashboard/src/pages/run/transcript/error-lines.ts";
import { foundLinks } from "../../dashboard/src/pages/run/transcript/found-links.ts";

describe("a line of output reads like an error", () => {
  test.each([
    "error src/cart.ts:14 does not compile",
    "\u001b[31mERROR\u001b[0m in ./src",
    "TypeError: x is not a function",
    "java.lang.NullPointerException: null",
    "Traceback (most recent call last):",
    "thread 'main' panicked at src/main.rs:2",
    "Tests: 1 failed, 4 passed",
    "npm ERR! code ELIFECYCLE, exit with an error",
    "  ✗ adds an item",
    "FAIL test/cart.test.ts",
  ])("%s", (line) => expect(isErrorLine(line)).toBe(true));

  test.each([
    "0 errors, 0 warnings",
    "compiled without errors",
    "No errors found",
    "Tests: 0 failed, 4 passed",
    "error_count=0",
    "reading src/error-lines.ts",
    "it is a terror",
    "",
    `${"x".repeat(1_001)} error`,
  ])("but not: %s", (line) => expect(isErrorLine(line)).toBe(false));
});

test("the last lines of a failed run are its errors, or else what it wrote last", () => {
  expect(lastErrorLines(["error 1", "fine", "error 2", "fine", ""], 5)).toEqual(["error 1", "error 2"]);
  expect(lastErrorLines(["one", "two", "", "\u001b[0m", "three"], 2)).toEqual(["two", "three"]);
});

describe("a call of a tool is about", () => {
  test.each([
    ["npm test", "npm test"],
    [JSON.stringify({ command: "npm test", description: "Runs the tests" }, null, 2), "npm test"],
    [JSON.stringify({ old_string: "a", new_string: "b", file_path: "src/a.ts" }), "src/a.ts"],
    [JSON.stringify({ filePath: "src/a.ts", offset: 5 }), "src/a.ts"],
    [JSON.stringify({ command: { nested: true }, limit: 5, all: false, none: null }), "limit: 5, all: false"],
    [JSON.stringify({ todos: [{ content: "read" }] }), ""],
    [JSON.stringify(["a", 5, { b: 1 }]), "a, 5"],
    ["{}", ""],
    // What was cut ends anywhere.
    [`${JSON.stringify({ path: "a", text: "b" }).slice(0, -3)}\n[5 more characters are in the text]`, ""],
    ["[ -f a ] && echo b", "[ -f a ] && echo b"],
    ["{ ls; } > a", "{ ls; } > a"],
    ['[ "$A" = b ] && echo b', '[ "$A" = b ] && echo b'],
  ])("%s", (input, gist) => expect(callGist(input)).toBe(gist));
});

describe("the links of a line", () => {
  const hrefs = (line: string) => foundLinks(line).flatMap(({ href }) => (href ? [href] : []));

  test.each<[string, string[]]>([
    ["see https://a.example/b?c=d#e.", ["https://a.example/b?c=d#e"]],
    ["(https://a.example/b)", ["https://a.example/b"]],
    ["https://a.example/Mill_(grinding), and", ["https://a.example/Mill_(grinding)"]],
    ["<http://a.example> https://b.example", ["http://a.example", "https://b.example"]],
    ["javascript:alert(1) file:///etc data:text/html,x ftp://a.example", []],
    ["https://a.example/\u202egnp.exe", ["https://a.example/"]],
    ["https://[broken", []],
  ])("of %s", (line, expected) => expect(hrefs(line)).toEqual(expected));

  test("lose no character of it", () => {
    const line = "a https://b.example, c (https://d.example/e) http://";
    expect(
      foundLinks(line)
        .map(({ text }) => text)
        .join(""),
    ).toBe(line);
  });

  test("are at most a hundred, and quick to find in a line without end", () => {
    expect(hrefs("https://a.example/ ".repeat(50_000)).length).toBeLessThanOrEqual(100);
    expect(hrefs(`https://a.example/${")".repeat(500_000)}b`)).toHaveLength(1);
  });
});

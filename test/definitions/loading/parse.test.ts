import { describe, expect, test } from "vitest";
import { type ParseResult, parseMarkdown, parseYaml } from "../../../src/definitions/loading/parse.ts";

const problems = (result: ParseResult) =>
  "problems" in result ? result.problems.map(({ code, line, column }) => `${code} ${line}:${column}`) : [];
const file = (result: ParseResult) => {
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return result.file;
};

describe("a YAML file", () => {
  test.each([
    ["anchors", "a: &x 1\n", ["FF_ANCHOR 1:7"]],
    ["aliases", "a: 1\nb: *x\n", ["FF_ALIAS 2:4"]],
    ["tags", "a: !!str 1\n", ["FF_TAG 1:10"]],
    ["tags of its own", "a: !env HOME\n", ["FF_TAG 1:9"]],
    ["duplicate keys", "a: 1\nb: 2\na: 3\n", ["FF_DUPLICATE_KEY 3:1"]],
    ["duplicate keys further in", "a:\n  b: 1\n  b: 2\n", ["FF_DUPLICATE_KEY 3:3"]],
    ["merge keys", "<<: { a: 1 }\n", ["FF_INVALID_YAML 1:1"]],
    ["keys that are lists", "? [a]\n: 1\n", ["FF_INVALID_YAML 1:3"]],
    ["keys that are nothing", ": 1\n", ["FF_INVALID_YAML 1:1"]],
    ["several documents", "a: 1\n---\nb: 2\n", ["FF_INVALID_YAML 2:1"]],
    ["directives", "%YAML 1.1\n---\na: 1\n", ["FF_INVALID_YAML 1:1"]],
    ["a list as the whole", "- 1\n", ["FF_INVALID_DOCUMENT 1:1"]],
    ["a text as the whole", "hello\n", ["FF_INVALID_DOCUMENT 1:1"]],
    ["quotes that do not close", 'a: "x\n', ["FF_INVALID_YAML 2:1"]],
    ["tabs as indentation", "a:\n\tb: 1\n", ["FF_INVALID_YAML 2:1"]],
  ])("with %s is refused at its place", (_, text, expected) => {
    expect(problems(parseYaml("f.yaml", text))).toEqual(expected);
  });

  test.each<[string, string, string]>([
    [
      "a colon that is missing in a list",
      "triggers:\n  - provider webhook\n    event: received\n",
      "expected `key: value` on one line: a colon is missing, or the space after it",
    ],
    [
      "a colon that is missing",
      "a: 1\nsecretName X\nb: 2\n",
      "expected `key: value` on one line: a colon is missing, or the space after it",
    ],
    [
      "a colon that is missing in the only line",
      "secretName X\n",
      "expected keys and values (a mapping), written as `key: value`",
    ],
    [
      "a line of a list that is not indented enough",
      "factories:\n - source: a\n  branch: b\n",
      'expected a line that starts with "- ", or a line that is indented as far as the text after the "- " above',
    ],
    [
      "a colon inside of a value",
      "description: builds: failed\n",
      "expected one `key: value` per line: quote a value that contains a colon and a space, and indent all keys of a mapping equally",
    ],
    [
      "a key that is indented too far",
      "a:\n  b: 1\n   c: 2\n",
      "expected one `key: value` per line: quote a value that contains a colon and a space, and indent all keys of a mapping equally",
    ],
  ])("says what to do about %s", (_, text, message) => {
    const parsed = parseYaml("f.yaml", text);
    expect("problems" in parsed && parsed.problems[0]?.message).toBe(message);
  });

  test("reports every problem and not only the first", () => {
    expect(problems(parseYaml("f.yaml", "a: &x 1\nb: *x\na: !t 2\n"))).toHaveLength(4);
  });

  test.each([
    ["square brackets", "[".repeat(200_000)],
    ["closed square brackets", "[".repeat(100_000) + "]".repeat(100_000)],
    ["braces", "{a: ".repeat(60_000)],
    ["dashes", "- ".repeat(120_000)],
    ["question marks", "? ".repeat(120_000)],
    ["indentation", Array.from({ length: 600 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
  ])("that nests %s without end is refused, and the process lives", (_, text) => {
    expect(problems(parseYaml("f.yaml", text))).toEqual([expect.stringMatching(/^FF_INVALID_YAML /)]);
  });

  test("with 60 levels is read", () => {
    expect(problems(parseYaml("f.yaml", `a: ${"[".repeat(58)}${"]".repeat(58)}`))).toEqual([]);
  });

  test("with twenty thousand keys is read without comparing each with each", () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join("\n");
    expect(Object.keys(file(parseYaml("f.yaml", text)).data)).toHaveLength(20_000);
  });

  test("that is empty, or holds comments only, is an empty mapping", () => {
    expect(file(parseYaml("f.yaml", "")).data).toEqual({});
    expect(file(parseYaml("f.yaml", "# nothing\n")).data).toEqual({});
  });

  test("takes __proto__ and constructor as keys like any other", () => {
    const { data } = file(parseYaml("f.yaml", "__proto__: { polluted: 1 }\nconstructor: 2\n"));
    expect(Object.keys(data)).toEqual(["__proto__", "constructor"]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test("reads values by YAML 1.2: yes and on are texts", () => {
    expect(file(parseYaml("f.yaml", "a: yes\nb: on\nc: true\nd: 1.0\ne: null\nf: 010\n")).data).toEqual({
      a: "yes",
      b: "on",
      c: true,
      d: 1,
      e: null,
      f: 10,
    });
  });

  test("tells the place of values, keys and of what is missing, with any line ends", () => {
    const parsed = file(parseYaml("f.yaml", "a:\r\n  b: [x, y]\r\nc: 1\r\n"));
    expect(parsed.at(["a", "b", 1])).toEqual({ line: 2, column: 10 });
    expect(parsed.atKey(["a", "b"])).toEqual({ line: 2, column: 3 });
    expect(parsed.at(["a", "missing"])).toEqual({ line: 2, column: 3 });
    expect(parsed.at([])).toEqual({ line: 1, column: 1 });
  });
});

describe("a Markdown file", () => {
  test.each([
    ["no front matter", "hello\n", ["FF_MALFORMED_FRONTMATTER 1:1"]],
    ["an open front matter", "---\na: 1\n", ["FF_MALFORMED_FRONTMATTER 1:1"]],
    ["a front matter that names YAML", "---yaml\na: 1\n---\n", ["FF_MALFORMED_FRONTMATTER 1:1"]],
    ["a front matter in JavaScript", "---js\nprocess.exit(1)\n---\n", ["FF_MALFORMED_FRONTMATTER 1:1"]],
    ["a front matter in JSON", '---json\n{"a":1}\n---\n', ["FF_MALFORMED_FRONTMATTER 1:1"]],
    ["a blank after the first fence", "--- \na: 1\n---\n", ["FF_MALFORMED_FRONTMATTER 1:1"]],
    ["a fence that is too long", "---\na: 1\n----\n---\n", ["FF_MALFORMED_FRONTMATTER 3:1"]],
    ["a fence with text behind it", "---\na: 1\n---x\n---\n", ["FF_MALFORMED_FRONTMATTER 3:1"]],
    ["a problem in the front matter", "---\na: 1\na: 2\n---\n", ["FF_DUPLICATE_KEY 3:1"]],
    ["an empty file", "", ["FF_MALFORMED_FRONTMATTER 1:1"]],
  ])("with %s is refused at its place", (_, text, expected) => {
    expect(problems(parseMarkdown("f.md", text))).toEqual(expected);
  });

  test("has data, and a body without its last line end", () => {
    const parsed = file(parseMarkdown("f.md", "---\r\na: 1\r\n---\r\n# Title\r\n\r\ntext\r\n"));
    expect(parsed.data).toEqual({ a: 1 });
    expect(parsed.body).toBe("# Title\n\ntext");
    expect(parsed.at(["a"])).toEqual({ line: 2, column: 4 });
  });

  test("may have an empty front matter, and a body with rules in it", () => {
    const parsed = file(parseMarkdown("f.md", "---\n---\none\n---\ntwo\n---\n"));
    expect(parsed.data).toEqual({});
    expect(parsed.body).toBe("one\n---\ntwo\n---");
  });

  test("may have comments only as its front matter", () => {
    expect(file(parseMarkdown("f.md", "---\n# later\n---\nbody")).body).toBe("body");
  });
});

import { describe, expect, test } from "vitest";
import { readText, withBody, withItem, withValue } from "../../dashboard/src/editor/definition-text.ts";
import {
  clausesOf,
  fieldOf,
  fieldText,
  patternOf,
  valuesOf,
  valuesText,
  withPointed,
} from "../../dashboard/src/editor/filter-clauses.ts";
import { checkPattern } from "../../src/definitions/filters/filter.ts";

const PATH = "automations/a/automation.md";
const FILE = `---
# Who is asked
agent: boss   # the foreman
unknownKey: {deep: [1, 2]}
triggers:
  - provider: webhook
    event: received
    # only these
    millrace: { webhooks: [ci] }
    filter:
      payload: { status: [failed] }

model: 'quoted'
---
# Title

Say \`---\` what is wrong.
`;

describe("a form changes the place that it is about", () => {
  test("and leaves comments, order, quotes and what it does not know", () => {
    expect(withValue(PATH, FILE, ["enabled"], false)).toBe(
      FILE.replace("model: 'quoted'\n", "model: 'quoted'\nenabled: false\n"),
    );
    expect(withValue(PATH, FILE, ["agent"], "other")).toBe(
      FILE.replace("agent: boss   # the foreman", "agent: other # the foreman"),
    );
    expect(withValue(PATH, FILE, ["agent"], undefined)).toBe(
      FILE.replace("agent: boss   # the foreman\n", ""),
    );
    const triggers = withValue(
      PATH,
      FILE,
      ["triggers", 0, "filter", "payload", "status"],
      ["failed", "error"],
    );
    expect(triggers.split("triggers:")[0]).toBe(FILE.split("triggers:")[0]);
    expect(triggers.split("model:")[1]).toBe(FILE.split("model:")[1]);
    expect(triggers).toContain("# only these");
  });

  test("a value that goes takes the mappings with it that hold nothing any more", () => {
    const changed = withValue(PATH, FILE, ["triggers", 0, "filter", "payload"], undefined);
    expect(readText(PATH, changed)?.data.triggers).toEqual([
      { provider: "webhook", event: "received", millrace: { webhooks: ["ci"] } },
    ]);
    expect(changed).toContain("# only these");
  });

  test("an item is added to a list, also to one that is not there", () => {
    const more = withItem(PATH, FILE, ["triggers"], { provider: "schedule", event: "cron_fired" });
    expect(readText(PATH, more)?.data.triggers).toHaveLength(2);
    expect(readText(PATH, withItem(PATH, "---\n---\nx", ["secrets"], "A"))?.data).toEqual({ secrets: ["A"] });
  });

  test("the body is another one, and the front matter the same to the letter", () => {
    expect(withBody(FILE, "Other.\n")).toBe(`${FILE.slice(0, FILE.indexOf("# Title"))}Other.\n`);
  });

  test("a text that cannot be read stays as it is", () => {
    for (const text of ["no front matter", "---\na: [\n---\n", "---\n- a list\n---\n"])
      expect(readText(PATH, text)).toBeUndefined();
    expect(withValue(PATH, "no front matter", ["a"], 1)).toBe("no front matter");
  });

  test("a file of YAML alone has no body", () => {
    expect(withValue("runners/r.yaml", "# big\ndescription: x\n", ["description"], "y")).toBe(
      "# big\ndescription: y\n",
    );
  });
});

describe("a payload filter is clauses", () => {
  const PATTERN = {
    action: ["opened", "reopened"],
    pull_request: { draft: [false], labels: { not_in: ["wip"] }, "a.b": { exists: true } },
    sender: { exists: false },
  };

  test("and the clauses make the same filter again", () => {
    const clauses = clausesOf(PATTERN) ?? [];
    expect(clauses.map(({ field, operator }) => `${fieldText(field)} ${operator}`)).toEqual([
      "action in",
      "pull_request.draft in",
      "pull_request.labels not_in",
      'pull_request."a.b" exists',
      "sender absent",
    ]);
    expect(patternOf(clauses)).toEqual(PATTERN);
    expect(clausesOf(undefined)).toEqual([]);
    expect(patternOf([])).toBeUndefined();
  });

  test("several of one field stand together", () => {
    const both = { kind: { in: ["a"], not_in: ["b"] } };
    expect(patternOf(clausesOf(both) ?? [])).toEqual(both);
  });

  test.each([
    ["a scalar", { a: "b" }],
    ["an empty mapping", { a: {} }],
    ["a list", ["a"]],
    ["objects in a list", { a: [{}] }],
  ])("with %s it is left to the text", (_, pattern) => {
    expect(clausesOf(pattern)).toBeUndefined();
  });

  test("pointing at a value asks for it, at another one for either, and at an object for its being there", () => {
    const once = withPointed([], ["status"], "failed");
    const twice = withPointed(once, ["status"], "error");
    expect(patternOf(twice)).toEqual({ status: ["failed", "error"] });
    expect(withPointed(twice, ["status"], "error")).toEqual(twice);
    expect(patternOf(withPointed(twice, ["build"], { id: 1 }))).toEqual({
      status: ["failed", "error"],
      build: { exists: true },
    });
    const strange = withPointed([], ["__proto__", "polluted"], true);
    expect(Object.keys(patternOf(strange) ?? {})).toEqual(["__proto__"]);
    expect(checkPattern(patternOf(twice))).toEqual([]);
  });

  test("values and fields are written as people write them, and read as what they are", () => {
    const values = ["failed", "3", 3, true, "true", null, "a, b", "", "[x]", "#1", "a: b"];
    expect(valuesOf(valuesText(values))).toEqual(values);
    expect(valuesText(["failed", 3, "3"])).toBe('failed, 3, "3"');
    for (const wrong of ["", "[", "{ a: 1 }", "[1]"]) expect(valuesOf(wrong)).toBeUndefined();
    for (const field of [["a"], ["a", "b.c", 'd"e'], ["with space", "x"]])
      expect(fieldOf(fieldText(field))).toEqual(field);
    for (const wrong of ["", ".", "a..b", "a.", 'a"b']) expect(fieldOf(wrong)).toBeUndefined();
  });
});

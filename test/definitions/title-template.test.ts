import { describe, expect, test } from "vitest";
import { automationTitle, compileTitle, MAX_TITLE } from "../../src/definitions/automation-title.ts";
import { automationWith, FACTORY, problemsOf } from "../given/definition.ts";

const PULL_REQUEST = {
  number: 12,
  pull_request: {
    number: 12,
    title: "Fix the parser",
    draft: false,
    labels: [{ name: "bug" }, { name: "ci" }],
  },
};

describe("a title is made of", () => {
  test.each<[string, string, unknown, string]>([
    ["a field of the payload", "Review {{pull_request.title}}", PULL_REQUEST, "Review Fix the parser"],
    ["numbers and booleans", "{{ number }} {{pull_request.draft}}", PULL_REQUEST, "12 false"],
    ["an entry of a list", "{{pull_request.labels.1.name}}", PULL_REQUEST, "ci"],
    ["nothing in the place of what is missing", "Review {{a.b}} now", PULL_REQUEST, "Review now"],
    ["nothing in the place of a list", "[{{pull_request.labels}}]", PULL_REQUEST, "[]"],
    ["nothing in the place of the length of a list", "[{{pull_request.labels.length}}]", PULL_REQUEST, "[]"],
    [
      "nothing of what a value inherits",
      "[{{number.toString}}{{constructor.name}}{{__proto__.x}}]",
      PULL_REQUEST,
      "[]",
    ],
    ["nothing without a payload", "Night {{x}}", undefined, "Night"],
    ["no template in a payload", "{{a}}", { a: "{{b}}", b: "no" }, "{{b}}"],
    ["one line", "{{a}}", { a: " one\n\ttwo\u2028three " }, "one two three"],
    ["no control characters", "{{a}}", { a: "\u001b[31mred\u0000\u202eder\u200f" }, "[31mredder"],
    ["whole characters", "{{a}}", { a: "x\ud800y" }, "xy"],
    ["single braces as they are", "{a} {{b}}", { b: "}" }, "{a} }"],
  ])("%s", (_, template, payload, title) => {
    expect(compileTitle(template)(payload)).toBe(title);
  });

  test("so many characters at most, however long the payload is", () => {
    const title = compileTitle("{{a}}{{a}}")({ a: "😀".repeat(1_000_000) });
    expect([...title]).toHaveLength(MAX_TITLE);
    expect(title).toMatch(/^😀+…$/u);
  });
});

describe("without a template, a title says", () => {
  const named = (provider: Parameters<typeof automationTitle>[1], payload: unknown) =>
    automationTitle({ name: "triage" }, provider)(payload);
  test.each<[string, Parameters<typeof automationTitle>[1], unknown, string]>([
    ["the pull request of GitHub", "github", PULL_REQUEST, "#12 Fix the parser"],
    ["the issue of a comment", "github", { issue: { number: 7, title: "Broken" }, comment: {} }, "#7 Broken"],
    ["the merge request of a note", "gitlab", { merge_request: { iid: 3, title: "Add it" } }, "!3 Add it"],
    ["the issue of Linear", "linear", { data: { identifier: "ENG-5", title: "Slow" } }, "ENG-5 Slow"],
    ["the issue of Jira", "jira", { issue: { key: "SHOP-1", fields: { summary: "Cart" } } }, "SHOP-1 Cart"],
    ["the message of Slack", "slack", { event: { text: "deploy it" } }, "deploy it"],
    ["the automation, when the event says nothing", "github", { zen: "Keep it simple" }, "triage"],
    ["the automation, for a sender that is not known", undefined, PULL_REQUEST, "triage"],
  ])("%s", (_, provider, payload, title) => {
    expect(named(provider, payload)).toBe(title);
  });

  test("the same when its template finds nothing in the payload", () => {
    const titleOf = automationTitle({ name: "triage", title: "{{a}}" }, "github");
    expect([titleOf({ a: "A" }), titleOf(PULL_REQUEST), titleOf({})]).toEqual([
      "A",
      "#12 Fix the parser",
      "triage",
    ]);
  });
});

describe("a template is refused, with its line, that", () => {
  const A = "automations/a/automation.md";
  const problemsWith = (title: string) =>
    problemsOf({
      ...FACTORY,
      [A]: automationWith(
        `triggers: [{ provider: slack, event: app_mention }]\nmillrace:\n  title: ${JSON.stringify(title)}\n`,
      ),
    });
  test.each<[string, string, boolean]>([
    ["names fields", "Review {{pull_request.title}} of {{ repository.full_name }}", true],
    ["names no field", "Nightly report {v1}", true],
    ["does not close its braces", "Review {{pull_request.title", false],
    ["closes braces that it has not opened", "Review pull_request.title}}", false],
    ["calls a helper", "{{#if a}}x{{/if}}", false],
    ["pipes", "{{ a | upper }}", false],
    ["indexes with brackets", "{{labels[0].name}}", false],
    ["names nothing", "{{}}", false],
    ["has three braces", "{{{a}}}", false],
    ["begins with a dot", "{{.a}}", false],
    ["is empty", " ", false],
    ["is too long", "x".repeat(501), false],
  ])("%s", async (_, title, isRight) => {
    const errors = (await problemsWith(title)).filter((problem) => JSON.stringify(problem).includes(A));
    const wrong = errors.filter((problem) => !JSON.stringify(problem).includes("FF_TRIGGER_NOT_FED"));
    expect(wrong).toEqual(isRight ? [] : [`FF_INVALID_VALUE ${A}:4:10`]);
  });
});

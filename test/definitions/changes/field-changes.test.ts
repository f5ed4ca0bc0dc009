import fc from "fast-check";
import { expect, test } from "vitest";
import { changeInWords, fieldChanges } from "../../../src/definitions/changes/field-changes.ts";
import { planChanges, resourcesAfter } from "../../../src/definitions/changes/plan.ts";
import { planMarkdown } from "../../../src/plans/plan-markdown.ts";
import { reportPlan } from "../../../src/plans/plan-report.ts";
import { planText } from "../../../src/plans/plan-text.ts";
import { automationOn, FACTORY, load, TOKEN_WEBHOOK } from "../../given/definition.ts";
import type { Files } from "../../given/folder.ts";

const told = (before: object, after: object) =>
  fieldChanges(JSON.stringify(before), JSON.stringify(after)).map(
    (change) => `${change.field}: ${changeInWords(change)}`,
  );

test("what differs is told at its place, with what it was and what it is", () => {
  expect(
    told({ a: 1, b: { c: ["x", "y"] }, same: [1] }, { a: 2, b: { c: ["x", "z", true] }, same: [1] }),
  ).toEqual(["a: 1 -> 2", 'b.c[1]: "y" -> "z"', "b.c[2]: nothing -> true"]);
  expect(told({ gone: null, a: [1] }, { a: { b: 1 } })).toEqual([
    "gone: null -> nothing",
    'a: [1] -> {"b":1}',
  ]);
});

test("a plan names the key and the window of an automation as its file does", async () => {
  const grouped = (policy: string, quiet: string): Files => ({
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a.md": automationOn(["ci"]).replace(
      "triggers:",
      `millrace: { concurrency: { key: "{{pr}}", whileRunning: ${policy} }, debounce: { quiet: ${quiet} } }\ntriggers:`,
    ),
  });
  const { definition: before } = await load(grouped("queue", "4s"));
  const { definition: after } = await load(grouped("join", "20s"));
  if (!before || !after) throw new Error("the definitions are not valid");
  const stored = resourcesAfter([], planChanges([], before).changes, {}, "2026-11-21T00:00:00.000Z");
  const change = planChanges(stored, after).changes.find(({ kind }) => kind === "automation");
  expect(change?.fields).toEqual(["concurrency", "debounce"]);
  expect(change?.values.map((each) => `${each.field}: ${changeInWords(each)}`)).toEqual([
    'concurrency.whileRunning: "queue" -> "join"',
    'debounce.quiet: "4s" -> "20s"',
    'debounce.longest: "40s" -> "200s"',
  ]);
});

test("a plan tells that the titles of an automation's runs change", async () => {
  const titled = (title: string): Files => ({
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a.md": automationOn(["ci"]).replace(
      "triggers:",
      `millrace: { title: "${title}" }\ntriggers:`,
    ),
  });
  const { definition: before } = await load(titled("Order {{id}}"));
  const { definition: after } = await load(titled("{{name}}"));
  if (!before || !after) throw new Error("the definitions are not valid");
  const stored = resourcesAfter([], planChanges([], before).changes, {}, "2026-11-21T00:00:00.000Z");
  const { changes } = planChanges(stored, after);
  expect(changes.flatMap(({ values }) => values)).toMatchObject([
    { field: "title", before: '"Order {{id}}"', after: '"{{name}}"' },
  ]);
});

test("of a long text the first line that differs is told, and how many give way to how many", () => {
  const lines = (...middle: string[]) => ["first", "second", ...middle, "last"].join("\n");
  expect(told({ prompt: lines("old", "older") }, { prompt: lines("new") })).toEqual([
    "prompt: line 3: old -> new (2 lines -> 1 line)",
  ]);
  expect(told({ prompt: lines() }, { prompt: lines("new") })).toEqual([
    "prompt: line 3: nothing -> new (0 lines -> 1 line)",
  ]);
});

test("values are cut, and so is their number", () => {
  expect(told({ a: "x".repeat(50) }, { a: `${"x".repeat(50)}${"y".repeat(1_000)}` })[0]?.length).toBeLessThan(
    150,
  );
  const many = (value: number) =>
    Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`k${at}`, value]));
  expect(told(many(1), many(2))).toHaveLength(20);
});

test("what an MCP server is called with is not shown, however it comes and goes", () => {
  const server = (token: string) => ({
    command: "x",
    env: { TOKEN: token },
    headers: { a: token },
    args: [token],
  });
  const forms = [
    {},
    { execution: {} },
    { execution: { mcpServers: {} } },
    { execution: { mcpServers: { s: { command: "x" } } } },
    { execution: { mcpServers: { s: server("hidden-1") } } },
    { execution: { mcpServers: { s: server("hidden-2"), t: server("hidden-3") } } },
    { mcpServers: { s: server("hidden-4") } },
  ];
  for (const before of forms) {
    for (const after of forms) expect(told(before, after).join("\n")).not.toContain("hidden");
  }
});

test("a resource differs from another exactly when something is told", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (a, b) => {
        expect(told(a, a)).toEqual([]);
        const keys = (value: object) => JSON.stringify(Object.keys(value));
        const same = JSON.stringify(a) === JSON.stringify(b);
        if (!same && keys(a) === keys(b)) expect(told(a, b).length).toBeGreaterThan(0);
      },
    ),
  );
});

test("a plan shows them as text and as Markdown", async () => {
  const files = (branch: string): Files => ({
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a.md": automationOn(["ci"], { branch: [branch] }),
  });
  const { definition: before } = await load(files("main"));
  const { definition: after } = await load(files("release"));
  if (!before || !after) throw new Error("the definitions are not valid");
  const stored = resourcesAfter([], planChanges([], before).changes, {}, "2026-01-01T00:00:00.000Z");
  const plan = planChanges(stored, after);
  const report = reportPlan({ factory: "acme", revision: null, plan, problems: [] });
  expect(planText(report)).toMatch(
    /~ automation a \(triggers\)\n {6}triggers\[0\]\.payload\.branch\S*: "main" -> "release"/,
  );
  expect(planMarkdown(report)).toMatch(/ {2}- `triggers\[0\]\.payload\.branch\S*`: `"main" -> "release"`/);
});

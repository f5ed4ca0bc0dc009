import { describe, expect, test } from "vitest";
import { automationWith, FACTORY, load } from "../../given/definition.ts";

const on = (event: string, filter: string, rest = "") =>
  automationWith(`triggers: [{ provider: factory, event: ${event}, filter: ${filter} }]\n${rest}`);

async function problemsOf(automation: string): Promise<string[]> {
  const files = {
    ...FACTORY,
    "automations/schema.json": "{}",
    "automations/a.md": automation,
    "automations/b.md": OTHER,
  };
  const { problems } = await load(files);
  return problems
    .filter(({ severity, path }) => severity !== "notice" && path === "automations/a.md")
    .map(({ severity, code, line }) => `${severity} ${code} ${line}`);
}

const OTHER = automationWith("triggers: [{ provider: slack, event: app_mention }]");

describe("a trigger of the factory's own events", () => {
  test.each([
    ["on stages", on("work_item_stage_changed", "{ stages: [REVIEW, complete] }")],
    ["on ends of another automation", on("run_ended", "{ automations: [b], states: [FAILED, ERROR] }")],
    ["on ends of others", on("run_ended", "{ automations: { not_in: [a] } }")],
    ["on questions of others", on("run_blocked", "{ agents: [boss], automations: { not_in: [a] } }")],
    ["on answers with a schema", on("run_ended", "{ answer_json: { kind: [defect], lines: [1] } }")],
    ["on its own ends, while it is disabled", on("run_ended", "null", "enabled: false\n")],
  ])("is valid %s", async (_, automation) => {
    expect(await problemsOf(automation)).toEqual([]);
  });

  test.each([
    [
      "a state in which no run ends",
      on("run_ended", "{ states: [BLOCKED], automations: [b] }"),
      "error FF_INVALID_FILTER",
    ],
    ["a key that it does not have", on("run_blocked", "{ stages: [REVIEW] }"), "error FF_INVALID_FILTER"],
    [
      "an answer that no JSON is",
      on("run_ended", "{ answer_json: { kind: defect } }"),
      "error FF_INVALID_FILTER",
    ],
    ["answers of questions", on("run_blocked", "{ answer_json: {} }"), "error FF_INVALID_FILTER"],
    [
      "its own answers",
      on("run_ended", "{ answer_json: { kind: [defect] } }", "millrace: { output: schema.json }\n"),
      "warning FF_TRIGGER_LOOP",
    ],
    ["an agent that is not there", on("run_blocked", "{ agents: [bos] }"), "error FF_INVALID_REFERENCE"],
    [
      "an automation that is not there",
      on("run_ended", "{ automations: [c] }"),
      "error FF_INVALID_REFERENCE",
    ],
    [
      "a stage that is not there",
      on("work_item_stage_changed", "{ stages: [DONE] }"),
      "warning FF_FILTER_NEVER_MATCHES",
    ],
    ["every run, its own too", on("run_ended", "null"), "error FF_TRIGGER_LOOP"],
    ["every question, its own too", on("run_blocked", "{ agents: [boss] }"), "error FF_TRIGGER_LOOP"],
    ["its own failures", on("run_ended", "{ automations: [a], states: [ERROR] }"), "warning FF_TRIGGER_LOOP"],
  ])("has a problem with %s", async (_, automation, problem) => {
    expect(await problemsOf(automation)).toEqual([`${problem} 2`]);
  });
});

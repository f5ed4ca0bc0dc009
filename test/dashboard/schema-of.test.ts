import { expect, test } from "vitest";
import { schemaOf } from "../../dashboard/src/editor/suggestions.ts";
import { classifyPath } from "../../src/definitions/loading/tree-path.ts";

const PATHS = [
  "factory.yaml",
  "agents/boss/agent.md",
  "automations/report.md",
  "automations/report/automation.md",
  "automations/report/tests/failed.yaml",
  "runners/large.yaml",
  "webhooks/ci.yaml",
  "outbound/ops.yaml",
];

test.each(PATHS)("the editor completes %s with the schema that the server validates it by", (path) => {
  expect(schemaOf(path)).toBe(`${classifyPath(path).kind}.schema.json`);
});

test.each(["README.md", "webhooks/ci.yml", "skills/x/SKILL.md"])(
  "the editor completes nothing in %s",
  (path) => {
    expect(schemaOf(path)).toBeUndefined();
  },
);

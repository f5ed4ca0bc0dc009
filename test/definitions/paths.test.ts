import { describe, expect, test } from "vitest";
import { FACTORY, problemsOf } from "../given/definition.ts";

describe("a path", () => {
  test.each([
    "agents/agent.md",
    "agents/a/b/agent.md",
    "automations/a/b/automation.md",
    "scorers/scorer.md",
    "benchmarks/suite.yaml",
    "benchmarks/b/tasks/x/t.yaml",
    "webhooks/team/ci.yaml",
    "webhooks/ci.yml",
    "runners/r.yml",
  ])("%s looks like a resource, and is not at its place", async (path) => {
    expect(await problemsOf({ ...FACTORY, [path]: "x: 1\n" })).toEqual([`FF_UNSUPPORTED_PATH ${path}:1:1`]);
  });

  test.each([
    "README.md",
    "docs/webhooks/ci.yml",
    "agents/README.md",
    "agents/boss/skills/x/agent.md",
    "skills/x/webhooks/ci.yaml",
    "automations/a/tests/fires.yaml",
    "automations/a/notes.txt",
    ".github/workflows/agents/agent.md",
    "webhooks/.draft.yaml",
    "factory.yml",
  ])("%s is none of ours", async (path) => {
    expect(await problemsOf({ ...FACTORY, [path]: "x: [" })).toEqual([]);
  });
});

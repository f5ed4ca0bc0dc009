import { describe, expect, test } from "vitest";
import { FACTORY, load, problemsOf, TOKEN_WEBHOOK } from "../../given/definition.ts";

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

  test("that only letters in another case, or an accent, tell from another is a warning", async () => {
    const names = ["ci", "CI", "caf\u00e9", "cafe\u0301", "other"];
    const webhooks = names.map((name) => [`webhooks/${name}.yaml`, TOKEN_WEBHOOK]);
    const { definition, problems } = await load({ ...FACTORY, ...Object.fromEntries(webhooks) });
    expect(definition?.webhooks).toHaveLength(5);
    const warned = problems.filter(({ code }) => code === "FF_DUPLICATE_PATH");
    expect(warned.map(({ severity }) => severity)).toEqual(["warning", "warning"]);
  });
});

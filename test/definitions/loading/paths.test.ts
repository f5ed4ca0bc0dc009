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
    "agents/boss/skills/x/agent.md",
    "skills/x/webhooks/ci.yaml",
    "automations/a/tests/fires.yaml",
    "agents/.draft/agent.md",
    ".github/workflows/agents/agent.md",
    "webhooks/.draft.yaml",
    "factory.yml",
  ])("%s is none of ours", async (path) => {
    expect(await problemsOf({ ...FACTORY, [path]: "x: [" })).toEqual([]);
  });

  test.each([
    ["agents/reviewer.md", "rename it to agents/reviewer/agent.md, or move it out of agents/"],
    ["agents/reviewer.yaml", "rename it to agents/reviewer/agent.md, or"],
    ["agents/reviewer/prompt.md", "rename it to agents/reviewer/agent.md, or"],
    ["agents/reviewer/AGENT.md", "rename it to agents/reviewer/agent.md, or"],
    ["webhooks/README.md", "no effect: move it out of webhooks/"],
    ["agents/boss/notes.md", "no effect: move it out of agents/"],
    ["agents/boss/run.sh", "no effect: move it out of agents/"],
    ["automations/x/prompt.md", "rename it to automations/x/automation.md, or"],
    ["automations/x.yaml", "rename it to automations/x.md, or"],
    ["automations/x/automation.yaml", "rename it to automations/x/automation.md, or"],
    ["automations/x/automation.markdown", "rename it to automations/x/automation.md, or"],
    ["automations/x/test/fires.yaml", "rename it to automations/x/tests/fires.yaml, or"],
    ["automations/x/tests/fires.json", "rename it to automations/x/tests/fires.yaml, or"],
    ["automations/x/fires.yaml", "rename it to automations/x/tests/fires.yaml, or"],
    ["webhooks/ci.json", "rename it to webhooks/ci.yaml, or"],
    ["webhooks/ci.md", "rename it to webhooks/ci.yaml, or"],
    ["outbound/crm", "no effect: move it out of outbound/"],
    ["runners/big.json", "rename it to runners/big.yaml, or"],
    ["scorers/quality.md", "rename it to scorers/quality/scorer.md, or"],
    ["scorers/quality/rubric.md", "rename it to scorers/quality/scorer.md, or"],
    ["benchmarks/b/suite.json", "rename it to benchmarks/b/suite.yaml, or"],
    ["benchmarks/b/tasks/t.json", "rename it to benchmarks/b/tasks/t.yaml, or"],
  ])("%s has no effect, which is a warning with the right name", async (path, remedy) => {
    const { definition, problems } = await load({ ...FACTORY, [path]: "x: [" });
    expect(definition).toBeDefined();
    expect(problems).toMatchObject([
      { code: "FF_UNSUPPORTED_PATH", path, severity: "warning", message: expect.stringContaining(remedy) },
    ]);
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

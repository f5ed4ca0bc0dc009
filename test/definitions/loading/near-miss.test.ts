import { expect, test } from "vitest";
import { nearMiss } from "../../../src/definitions/loading/tree-path.ts";

test.each([
  ["agnts/x/agent.md", "agents/x/agent.md"],
  ["agents/a/AGENT.md", "agents/a/agent.md"],
  ["Webhooks/ci.yaml", "webhooks/ci.yaml"],
  ["webhook/form.yml", "webhooks/form.yaml"],
  ["automation/a/automation.md", "automations/a/automation.md"],
  ["Factory.yaml", "factory.yaml"],
  ["factory.yml", "factory.yaml"],
])("%s was probably meant to be %s", (path, meant) => expect(nearMiss(path)).toBe(meant));

test.each([
  "README.md",
  "agents/README.md",
  "agents/a/agent.md",
  "webhooks/ci.yml",
  "docs/webhook/ci.yaml",
  "actions/a/action.yaml",
  ".github/agents/a/agent.md",
  "skills/agent/agent.md",
])("%s is what it is", (path) => expect(nearMiss(path)).toBeUndefined());

import { describe, expect, test } from "vitest";
import { automationWith, FACTORY, load, problemsOf } from "../given/definition.ts";
import type { Files } from "../given/folder.ts";

const TRIGGERS = "triggers: [{ provider: schedule, event: cron_fired, schedule: { cron: '@daily' } }]";
const AUTH = "{ source: managedSecret, secretName: K }";
const WORKER = "{ source: workerEnvironment }";

/** A tree in which defaults, a foreman, another agent and an automation say how they execute. */
function executing(of: { defaults?: string; boss?: string; helper?: string; automation?: string }): Files {
  const { defaults = "harness: { type: claude, model: m }", boss = "", helper = "", automation = "" } = of;
  const factory = String(FACTORY["factory.yaml"]).replace(
    /^agentDefaults:.*$/m,
    `agentDefaults: { ${defaults} }`,
  );
  return {
    "factory.yaml": factory,
    "agents/boss/agent.md": `---\nagentType: FOREMAN\n${boss}\n---\n`,
    "agents/helper/agent.md": `---\n${helper}\n---\n`,
    "automations/a/automation.md": automationWith(`${TRIGGERS}\n${automation}`),
  };
}

const OZ = "harness: { type: oz, model: m }";

describe("the harness oz takes neither auth nor reasoningLevel, also where it is inherited", () => {
  test.each<[string, Parameters<typeof executing>[0], string[]]>([
    [
      "from the defaults to an agent",
      { defaults: OZ, helper: `harness: { auth: ${AUTH} }` },
      ["agents/helper/agent.md:2:18"],
    ],
    [
      "from a model alone",
      { defaults: "model: m", boss: "harness: { reasoningLevel: high }" },
      ["agents/boss/agent.md:3:28"],
    ],
    [
      "from an agent to an automation",
      { helper: "model: m", automation: `agent: helper\nharness: { auth: ${AUTH} }` },
      ["automations/a/automation.md:4:18"],
    ],
    [
      "from the foreman to an automation that names no agent",
      { boss: OZ, automation: "harness: { reasoningLevel: high }" },
      ["automations/a/automation.md:3:28"],
    ],
    [
      "which another type ends",
      { defaults: OZ, helper: `harness: { type: claude, model: n, auth: ${AUTH} }` },
      [],
    ],
    ["which another agent ends", { boss: OZ, automation: `agent: helper\nharness: { auth: ${AUTH} }` }, []],
    ["and cleared is not taken", { defaults: OZ, helper: "harness: { auth: null, reasoningLevel: '' }" }, []],
  ])("%s", async (_, of, places) => {
    expect(await problemsOf(executing(of))).toEqual(places.map((place) => `FF_INVALID_VALUE ${place}`));
  });

  test("which is not reported for a tree with broken defaults or a missing agent", async () => {
    const files = executing({ helper: `harness: { auth: ${AUTH} }` });
    expect(await problemsOf({ ...files, "factory.yaml": "name: [" })).toEqual([
      "FF_INVALID_YAML factory.yaml:1:8",
    ]);
    const stray = executing({ defaults: OZ, automation: `agent: nobody\nharness: { auth: ${AUTH} }` });
    expect(await problemsOf(stray)).toEqual(["FF_INVALID_REFERENCE automations/a/automation.md:3:8"]);
  });
});

describe("the credential of a worker's environment needs a workerHost", () => {
  const AUTOMATION = "automations/a/automation.md";
  test.each<[string, Parameters<typeof executing>[0], string[]]>([
    [
      "which an automation has from its agent",
      { helper: "workerHost: w", automation: `agent: helper\nharness: { auth: ${WORKER} }` },
      [],
    ],
    [
      "which an automation has from the foreman",
      { boss: "workerHost: w", automation: `harness: { auth: ${WORKER} }` },
      [],
    ],
    [
      "and another agent's is none",
      { boss: "workerHost: w", automation: `agent: helper\nharness: { auth: ${WORKER} }` },
      [`${AUTOMATION}:4:28`],
    ],
    [
      "and one that its agent has cleared is none",
      {
        defaults: "harness: { type: claude, model: m }, workerHost: w",
        helper: "workerHost: null",
        automation: `agent: helper\nharness: { auth: ${WORKER} }`,
      },
      [`${AUTOMATION}:4:28`],
    ],
    [
      "which may not be cleared where the credential is inherited",
      { boss: `workerHost: w\nharness: { auth: ${WORKER} }`, automation: "workerHost: null" },
      [`${AUTOMATION}:3:13`],
    ],
  ])("%s", async (_, of, places) => {
    expect(await problemsOf(executing(of))).toEqual(places.map((place) => `FF_INVALID_VALUE ${place}`));
  });
});

test.each([
  ["the agent's", { helper: "millrace: { priority: batch }" }, ["batch", "batch"]],
  [
    "the automation's before that",
    { helper: "millrace: { priority: batch }", automation: "millrace: { priority: interactive }" },
    ["batch", "interactive"],
  ],
])("the priority of runs is %s", async (_, of, [helper, automation]) => {
  const files = executing({ ...of, automation: `agent: helper\n${"automation" in of ? of.automation : ""}` });
  const { definition } = await load(files);
  expect(definition?.agents.find(({ name }) => name === "helper")?.execution.priority).toBe(helper);
  expect(definition?.automations[0]?.execution.priority).toBe(automation);
});

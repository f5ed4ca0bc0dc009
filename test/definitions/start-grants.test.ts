import { describe, expect, test } from "vitest";
import { grantOf, reducedGrant } from "../../src/definitions/start-grant.ts";
import { automationWith, FACTORY, load } from "../given/definition.ts";

const TRIGGERS = "triggers: [{ provider: schedule, event: cron_fired, schedule: { cron: '@daily' } }]";

/** A tree in which a foreman, another agent and an automation of one of them may start others. */
const granting = (of: { boss?: string; helper?: string; automation?: string }) => ({
  ...FACTORY,
  "agents/boss/agent.md": `---\nagentType: FOREMAN\n${of.boss ?? ""}\n---\n`,
  "agents/helper/agent.md": `---\n${of.helper ?? ""}\n---\n`,
  "automations/a/automation.md": automationWith(`${TRIGGERS}\n${of.automation ?? ""}`),
});

async function grants(of: Parameters<typeof granting>[0]) {
  const { definition, problems } = await load(granting(of));
  if (!definition) throw new Error(JSON.stringify(problems));
  const [boss, helper] = definition.agents;
  return {
    boss: grantOf(boss),
    helper: grantOf(helper),
    automation: grantOf(boss, definition.automations[0]),
  };
}

describe("who may start which agents", () => {
  test("the foreman may start every agent, and others nobody, when nothing is written", async () => {
    expect(await grants({})).toEqual({
      boss: { agents: "all", children: 10, depth: 2 },
      helper: undefined,
      automation: { agents: "all", children: 10, depth: 2 },
    });
  });

  test("is what the agent says, in place of which is what the automation says, as a whole", async () => {
    const boss = "millrace: { children: 3 }";
    const helper = "millrace: { mayStart: [boss], depth: 1 }";
    expect(await grants({ boss, helper, automation: "millrace: { mayStart: [helper] }" })).toEqual({
      boss: { agents: "all", children: 3, depth: 2 },
      helper: { agents: ["boss"], children: 10, depth: 1 },
      automation: { agents: ["helper"], children: 10, depth: 2 },
    });
  });

  test("can be nobody, also for the foreman", async () => {
    const { boss, automation } = await grants({ boss: "millrace: { mayStart: [] }" });
    expect([boss, automation]).toEqual([undefined, undefined]);
  });

  test("is one generation fewer for a run that was started by another one", () => {
    const grant = { agents: ["a"], children: 5, depth: 3 };
    expect([5, 3, 1, 0].map((parent) => reducedGrant(grant, parent).depth)).toEqual([3, 2, 0, 0]);
  });
});

describe("a grant is refused", () => {
  test.each([
    [
      "for an agent that is not there",
      { helper: "millrace: { mayStart: [bos] }" },
      /2:\d+ .*did you mean "boss"/,
    ],
    ["for one that is like none", { boss: "millrace: { mayStart: [zzzzzzzz] }" }, /expected a folder/],
    [
      "without agents, for another than the foreman",
      { helper: "millrace: { children: 3 }" },
      /Add the agents/,
    ],
    ["with an empty list and a bound", { boss: "millrace: { mayStart: [], depth: 2 }" }, /mayStart is empty/],
    ["beyond its bounds", { boss: "millrace: { children: 101 }" }, /^3:23 .*100/],
    ["deeper than can be", { automation: "millrace: { depth: 6 }" }, /^3:20 .*5/],
  ])("%s", async (_, of, words) => {
    const { problems } = await load(granting(of));
    const errors = problems.filter(({ severity }) => severity === "error");
    expect(errors.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([
      expect.stringMatching(words),
    ]);
  });
});

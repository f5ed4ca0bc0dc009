import { expect, test } from "vitest";
import { deniedReaches } from "../../src/plans/planner.ts";
import type { FactoryReach } from "../../src/runs/turn/reaches.ts";
import { automationWith, FACTORY, load, TOKEN_WEBHOOK } from "../given/definition.ts";

const reach = (runId: string, host: string, more: Partial<FactoryReach> = {}): FactoryReach => {
  return { runId, automationUid: "a-uid", agentUid: "boss-uid", host, port: 443, ...more };
};

/** What a plan says of reaches, of a definition whose automation and agent have these networks. */
async function warningsOf(reaches: FactoryReach[], automation: string, agent = "all") {
  const { definition, locate } = await load({
    ...FACTORY,
    "agents/boss/agent.md": `---\nagentType: FOREMAN\nmillrace: { network: ${agent} }\n---\n`,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a.md": automationWith(
      `millrace: { network: ${automation} }\ntriggers: [{ provider: webhook, event: received, millrace: { webhooks: [ci] } }]`,
    ),
  });
  if (!definition) throw new Error("the definition is not valid");
  const names: Record<string, string> = { "automation a-uid": "a", "agent boss-uid": "boss" };
  return deniedReaches(reaches, { definition, locate, nameOf: (kind, uid) => names[`${kind} ${uid}`] }).map(
    ({ code, path, message }) => `${code} ${path} ${message}`,
  );
}

test("a plan counts the runs that have reached a host which it denies, each once, of all that have reached one", async () => {
  const reaches = [
    reach("r1", "api.example.com"),
    reach("r1", "other.example.com"),
    reach("r2", "registry.npmjs.org"),
    reach("r3", "registry.npmjs.org", { port: 22 }),
    reach("r4", "registry.npmjs.org", { automationUid: null }),
  ];
  expect(await warningsOf(reaches, '{ allow: ["@npm"] }')).toEqual([
    'network_denies_reached automations/a.md 2 of 3 runs of the automation "a" in the last 7 days reached a host that this denies, for example api.example.com:443',
  ]);
  expect(await warningsOf(reaches, "all", "none")).toEqual([
    'network_denies_reached agents/boss/agent.md 1 of 1 run of the agent "boss" in the last 7 days reached a host that this denies, for example registry.npmjs.org:443',
  ]);
});

test("and says nothing of what stays allowed, of hosts that are too many to be named, or of an automation that is gone", async () => {
  expect(await warningsOf([reach("r1", "registry.npmjs.org")], '{ allow: ["@npm"] }')).toEqual([]);
  expect(await warningsOf([reach("r1", "(other hosts)", { port: 0 })], "none")).toEqual([]);
  expect(
    await warningsOf([reach("r1", "x.example.com", { automationUid: "b", agentUid: null })], "none"),
  ).toEqual([]);
});

test("and counts the runs of an automation together whose agent has changed in the meantime", async () => {
  const reaches = [reach("r1", "x.example.com"), reach("r2", "x.example.com", { agentUid: "another-uid" })];
  expect(await warningsOf(reaches, "none")).toEqual([
    expect.stringContaining("2 of 2 runs of the automation"),
  ]);
});

import { expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { agentWith } from "../../given/family.ts";
import { serving } from "../../given/serving.ts";

const opening = (rest: string) => automationOn(["ci"]).replace("triggers:", `millrace: ${rest}\ntriggers:`);

const FILES = {
  ...FACTORY,
  "agents/verifier/agent.md": agentWith("agentType: VERIFY"),
  "agents/implementer/agent.md": agentWith("agentType: IMPLEMENT"),
  "agents/reviewer/agent.md": agentWith("agentType: REVIEW"),
  "agents/other/agent.md": agentWith(),
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/granted.md": opening("{ task: true, mayStart: [reviewer, other] }"),
  "automations/alone.md": opening("{ task: true, mayStart: [] }"),
  "automations/plain.md": automationOn(["ci"]),
};

const stage = sharedByFile(() => serving(FILES, { CI_SECRET: "the-token" }));

/** The agents that a prompt names for the work on a task. */
const named = (prompt: string) => /^Agents to start for this work: (.*)\.$/m.exec(prompt)?.[1];

test("the prompt of a dispatched run names the agents of its factory for the parts of the work, in their order", async () => {
  const { server, story } = stage();
  const { uid } = await story.factory();
  const body = { prompt: "Fix it." };
  const { run_id } = await server.api<{ run_id: string }>("POST", `/factory/${uid}/runs`, body);
  const { prompt } = await story.run(run_id);
  expect(named(prompt)).toBe("implementer (IMPLEMENT), reviewer (REVIEW), verifier (VERIFY)");
});

test("the prompt of a run that a delivery has started with a task names those that it may start, and no others", async () => {
  const { story } = stage();
  const id = await story.accept(await story.urlOf("ci"), "the-token", "{}");
  const { run_ids } = await story.delivery(id);
  const runs = await Promise.all(run_ids.map(story.run));
  const prompts = Object.fromEntries(runs.map(({ title, prompt }) => [title, named(prompt)]));
  expect(prompts).toEqual({ granted: "reviewer (REVIEW)", alone: undefined, plain: undefined });
});

import { expect, test } from "vitest";
import type { Models } from "../../../src/client/typed-paths.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { waitFor } from "../../given/server.ts";

/** Leaves a plan while it is told to plan only, unless its request says otherwise, and repeats what it is told after that. */
const PLANNER = `
  import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
  const prompt = readFileSync(0, "utf8");
  mkdirSync("artifacts", { recursive: true });
  if (!prompt.startsWith("[millrace: Plan only.")) console.log("done: " + prompt);
  else if (!prompt.includes("Write none.")) writeFileSync("artifacts/plan.md", "Plan " + process.env.MILLRACE_TURN);`;

test("a run in plan mode keeps its plan, asks for approval, plans again when it is to, and does what was approved", async () => {
  const { server, story, start } = await serverWithAgent(PLANNER);
  const id = await start({ mode: "plan" });
  const answer = async (message: string) => {
    await waitFor(async () => {
      const { state, is_sandbox_running } = await story.run(id);
      return state === "BLOCKED" && !is_sandbox_running;
    });
    return server.api("POST", `/agent/runs/${id}/followups`, { message });
  };
  await answer("Revise");
  await answer("Approve");
  const run = await story.ended(id);
  expect(run).toMatchObject({ state: "SUCCEEDED" });
  expect(run.answer).toMatch(/^done: Approve\n\n\[millrace: Your plan was approved\. Carry it out now\.\]/);
  const plans = (run.artifacts ?? []).filter(({ artifact_type }) => artifact_type === "PLAN");
  expect(plans).toHaveLength(2);
  const { messages } = await server.api<Models["Conversation"]>("GET", `/agent/runs/${id}/conversation`);
  const questions = messages.filter(({ kind }) => kind === "question");
  expect(questions).toMatchObject([{ text: "Approve this plan?" }, { text: "Approve this plan?" }]);
  const none = await story.ended(await start({ mode: "plan", prompt: "Write none." }));
  expect(none).toMatchObject({ state: "FAILED" });
  expect(none.status_message?.message).toContain("The agent exited without a plan.");
});

test("a run in the mode orchestrate is the foreman's", async () => {
  const files = { "agents/helper/agent.md": "---\nagentType: CUSTOM\n---\nYou help.\n" };
  const { server, story, start } = await serverWithAgent("console.log('done')", { files });
  expect(await story.ended(await start({ mode: "orchestrate" }))).toMatchObject({ state: "SUCCEEDED" });
  await expect(
    server.api("POST", "/agent/runs", { prompt: "Do it.", mode: "orchestrate", agent: "helper" }),
  ).rejects.toThrow(/orchestrate is for the foreman/);
});

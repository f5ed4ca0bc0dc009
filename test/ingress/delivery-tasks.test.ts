import { expect, test } from "vitest";
import { ask } from "../given/ask.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK, withMillrace } from "../given/definition.ts";
import { serving } from "../given/serving.ts";

const WITH_TASK = withMillrace(automationOn(["ci"]), '{ title: "{{subject}}", task: true }');

test("a delivery makes a task of the run that it starts, once, where the automation says so", async () => {
  const files = {
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "webhooks/other.yaml": TOKEN_WEBHOOK,
    "automations/with.md": WITH_TASK,
    "automations/without.md": automationOn(["other"]),
  };
  const { server, story } = await serving(files, { CI_SECRET: "x" });
  const runOf = async (webhook: string, body: string) => {
    const { run_ids } = await story.delivery(
      await story.accept((await story.webhook(webhook)).url, "x", body),
    );
    return run_ids[0] ?? "";
  };
  const { uid } = await story.factory();
  const taskOf = (run: string) => ask(server, "GET", `/factory/${uid}/task-by-run?run_id=${run}`);

  const body = JSON.stringify({ subject: "The total ignores quantities" });
  const run = await runOf("ci", body);
  const { status, body: task } = await taskOf(run);
  expect([status, task.title, task.stage]).toEqual([200, "The total ignores quantities", "TRIAGE"]);
  expect((await story.run(run)).prompt).toContain(`the task ${task.uid} of the factory`);

  expect(await runOf("ci", body)).toBe(run);
  expect((await taskOf(await runOf("other", body))).status).toBe(404);
  const { tasks } = await server.api<{ tasks: { uid: string }[] }>("GET", `/factory/${uid}/tasks`);
  expect(tasks.map((each) => each.uid)).toEqual([task.uid]);
});

import { expect, test } from "vitest";
import { automationWith, FACTORY } from "../../given/definition.ts";
import { waitFor } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";

const on = (stages: string, rest = "") =>
  automationWith(
    `triggers: [{ provider: factory, event: work_item_stage_changed, filter: { stages: ${stages} } }]\n${rest}`,
  );

const FILES = {
  ...FACTORY,
  "automations/sort.md": on("[TRIAGE]"),
  "automations/review.md": on("[review]", 'millrace: { title: "Review {{task.title}}" }\n'),
  "automations/later.md": on("{ not_in: [TRIAGE, REVIEW] }"),
};

test("a task that enters a stage starts the automations that listen to it, which belong to the task", async () => {
  const { server, story } = await serving(FILES, {});
  const { uid } = await story.factory();
  const body = { prompt: "Fix it.", title: "A bug" };
  const dispatched = await server.api<{ run_id: string }>("POST", `/factory/${uid}/runs`, body);
  const { task_uid: task } = await story.run(dispatched.run_id);
  const startedBy = (stage: string) =>
    waitFor(async () => {
      const runs = (await story.runs()).filter(({ trigger }) => trigger?.task_uid === task);
      return runs.find(({ agent_config }) => agent_config.name === stage);
    });
  await startedBy("sort");
  await server.api("PATCH", `/factory/${uid}/tasks/${task}`, { stage: "REVIEW" });
  const review = await startedBy("review");
  expect(review).toMatchObject({
    title: "Review A bug",
    task_uid: task,
    source: "ORCHESTRATION",
    trigger: { event: "work_item_stage_changed", task_uid: task },
  });
  expect(review.prompt).toContain(`the task ${task} ("A bug") moved from the stage TRIAGE to REVIEW.`);
  const payload = JSON.parse((await story.attachment(review.run_id, "event-payload.json")).toString());
  expect(payload).toMatchObject({
    event: "work_item_stage_changed",
    run: null,
    from: "TRIAGE",
    to: "REVIEW",
    task: { uid: task, title: "A bug", stage: "REVIEW" },
  });
  await server.api("PATCH", `/factory/${uid}/tasks/${task}`, { title: "Another title" });
  await server.api("PATCH", `/factory/${uid}/tasks/${task}`, { stage: "COMPLETE" });
  await startedBy("later");
  const started = (await story.runs()).filter(({ trigger }) => trigger?.task_uid === task);
  expect(started.map(({ agent_config }) => agent_config.name).toSorted()).toEqual([
    "later",
    "review",
    "sort",
  ]);
});

import { expect, test } from "vitest";
import { storyOf } from "../given/story.ts";
import {
  aPerson,
  openWorkshop,
  reportIssue,
  seeThrough,
  stagesOf,
  taskOf,
  treeOf,
} from "../given/workshop.ts";

test("an issue becomes a change that was implemented, reviewed, mended, tested and approved, its task is moved to COMPLETE, and the foreman waits without a process", async () => {
  const server = await openWorkshop();
  const story = storyOf(server);
  const root = await reportIssue(server, "first");
  expect((await taskOf(server, root)).title).toBe("The total ignores quantities");

  const person = aPerson();
  const { answer, artifacts } = await seeThrough(server, root, person);
  expect(answer).toContain("approved");
  expect(artifacts?.map(({ data }) => (data as { filename?: string }).filename)).toEqual(["change.patch"]);
  expect([...person.said.values()].map(({ message }) => message)).toEqual(["Approve"]);

  const { root_run_id, runs } = await treeOf(server, root);
  expect(root_run_id).toBe(root);
  expect(runs.map(({ agent, state, parent_run_id }) => [agent, state, parent_run_id])).toEqual([
    ["foreman", "SUCCEEDED", null],
    ["implementer", "SUCCEEDED", root],
    ["reviewer", "SUCCEEDED", root],
    ["implementer", "SUCCEEDED", root],
    ["reviewer", "SUCCEEDED", root],
    ["verifier", "SUCCEEDED", root],
  ]);
  const answers = await Promise.all(
    runs.slice(1).map(async ({ run_id }) => (await story.run(run_id)).answer),
  );
  expect(answers).toEqual([
    "The total counts quantities.",
    expect.stringContaining("an empty cart costs"),
    "An empty cart costs 0 again.",
    expect.stringContaining("an empty cart costs 0"),
    "All 4 tests pass.",
  ]);
  expect((await taskOf(server, root)).stage).toBe("COMPLETE");
  expect(await stagesOf(server, root)).toEqual([
    { stage: "TRIAGE", movedBy: null },
    { stage: "IMPLEMENT", movedBy: root },
    { stage: "REVIEW", movedBy: root },
    { stage: "IMPLEMENT", movedBy: root },
    { stage: "REVIEW", movedBy: root },
    { stage: "COMPLETE", movedBy: root },
  ]);
  const waits = (await story.timeline(root)).filter(({ event_type }) => event_type === "oz_run_waiting");
  expect(waits).toHaveLength(5);
}, 240_000);

test("a change that a person rejects was reported before they were asked, and its task is cancelled", async () => {
  const server = await openWorkshop();
  const root = await reportIssue(server, "second");
  const { answer, artifacts } = await seeThrough(server, root, aPerson({ approves: false }));
  expect(answer).toBe("The change was rejected.");
  expect(artifacts?.map(({ data }) => (data as { filename?: string }).filename)).toEqual(["change.patch"]);
  expect((await taskOf(server, root)).stage).toBe("CANCELLED");
}, 240_000);

test("a task that nobody has delivered, but sent, is worked on like an issue", async () => {
  const server = await openWorkshop();
  const { run_id: root } = await server.api<{ run_id: string }>("POST", "/factory/workshop/runs", {
    title: "Quantities",
    prompt: "The total ignores quantities.",
  });
  const { answer } = await seeThrough(server, root, aPerson());
  expect(answer).toContain("approved");
  expect((await taskOf(server, root)).stage).toBe("COMPLETE");
}, 240_000);

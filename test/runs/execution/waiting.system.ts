import { expect, test } from "vitest";
import { waitFor } from "../../given/server.ts";
import { aWaitingFamily, processesOf } from "../../given/waiting-family.ts";

test("a run that waits gives its place to the runs that it has started, and reads their answers in its next turn", async () => {
  const { wait, touch, resting, story, parent, children, types } = await aWaitingFamily([
    "one",
    "two",
    "three",
  ]);
  expect(await wait()).toMatchObject({
    state: "waiting",
    runs: ["one", "two", "three"].map((title) => ({ title, state: "QUEUED", answer: null })),
  });
  expect(await story.run(parent)).toMatchObject({ is_sandbox_running: true, waiting_for: children });
  expect(processesOf(parent)).not.toEqual([]);
  touch("exit");
  expect(await resting()).toMatchObject({ waiting_for: children, finished_at: null });
  expect(processesOf(parent)).toEqual([]);
  for (const name of ["one", "two", "three"]) touch(name);
  const ended = await story.ended(parent);
  expect(ended).toMatchObject({ state: "SUCCEEDED" });
  expect(ended.waiting_for).toBeUndefined();
  for (const name of ["one", "two", "three"]) expect(ended.answer).toContain(`> answer of ${name}`);
  expect(await types(parent)).toEqual([
    ...["oz_run_created", "oz_run_claimed", "agent_started", "oz_run_waiting"],
    ...["oz_run_claimed", "agent_started", "oz_run_done"],
  ]);
});

test("a wait is held open until its runs have ended, and then begins no turn; keys cannot wait", async () => {
  const { wait, touch, server, story, parent, children, types } = await aWaitingFamily(["one"], {
    atOnce: 2,
  });
  await expect(server.api("POST", `/agent/runs/${parent}/wait`)).rejects.toThrow(
    "Only the run's own agent can report this.",
  );
  const waiting = wait({ hold_seconds: 30 });
  await waitFor(async () => (await story.run(parent)).waiting_for);
  touch("one");
  const [child = ""] = children;
  expect(await waiting).toEqual({
    state: "done",
    runs: [
      expect.objectContaining({
        run_id: child,
        agent: "boss",
        state: "SUCCEEDED",
        answer: "answer of one",
      }),
    ],
  });
  touch("exit");
  expect(await story.ended(parent)).toMatchObject({ state: "SUCCEEDED" });
  expect(await types(parent)).not.toContain("oz_run_waiting");
});

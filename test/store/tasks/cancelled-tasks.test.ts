import { describe, expect, test } from "vitest";
import { ANN, storeOfTasks } from "../../given/factory.ts";
import { AT, LATER } from "../../given/store.ts";

describe("a task that is cancelled", () => {
  test("ends the runs that wait at once, and asks for the end of those that work", async () => {
    const { dispatch, child, start, tasks, runs } = await storeOfTasks();
    const { uid, run } = await dispatch();
    const asking = await child(run);
    const asleep = await child(run);
    const tickets = await start();
    await runs.block({ id: asking.id, turn: 1 }, "Which one?", AT);
    await runs.block({ id: asleep.id, turn: 1 }, "And which other one?", AT);
    const ending = { state: "SUCCEEDED", exitCode: 0, statusMessage: null } as const;
    await runs.finish({ id: asleep.id, ticket: tickets[asleep.id] ?? 0 }, ending, AT);
    const waiting = await child(asking);

    const cancelled = await tasks.cancel(uid, ANN.principal, LATER);
    expect(cancelled?.task).toMatchObject({ uid, stage: "CANCELLED" });
    expect(cancelled?.runs.map(({ run: { id }, state }) => [id, state])).toEqual([
      [run.id, "INPROGRESS"],
      [asking.id, "BLOCKED"],
      [asleep.id, "BLOCKED"],
      [waiting.id, "QUEUED"],
    ]);
    const now = await Promise.all([run, asking, asleep, waiting].map(({ id }) => runs.find(id)));
    expect(now.map((each) => [each?.state, each?.cancelRequestedAt !== null])).toEqual([
      ["INPROGRESS", true],
      ["BLOCKED", true],
      ["CANCELLED", true],
      ["CANCELLED", true],
    ]);
    expect(now[2]?.statusMessage?.message).toBe("Dismissed by Ann: The task was cancelled.");
  });

  test("ends more runs than one transaction does", async () => {
    const { dispatch, child, tasks } = await storeOfTasks();
    const { uid, run } = await dispatch();
    for (let count = 0; count < 200; count += 1) await child(run);
    const first = await tasks.cancel(uid, ANN.principal, LATER);
    const second = await tasks.cancel(uid, ANN.principal, LATER);
    expect([first, second].map((each) => [each?.runs.length, each?.hasMore])).toEqual([
      [200, true],
      [1, false],
    ]);
  });

  test("is moved once, and can be moved back", async () => {
    const { dispatch, tasks, events } = await storeOfTasks();
    const { uid } = await dispatch();
    await tasks.cancel(uid, ANN.principal, LATER);
    await tasks.cancel(uid, ANN.principal, LATER);
    expect(await events(uid)).toMatchObject([{ to: "TRIAGE" }, { from: "TRIAGE", to: "CANCELLED" }]);
    expect(await tasks.update(uid, { stage: "TRIAGE" }, ANN, LATER)).toMatchObject({ stage: "TRIAGE" });
  });
});

describe("the end of a run", () => {
  test("by a cancellation cancels the task whose conversation it is, and no other run's does", async () => {
    const { dispatch, child, runs, tasks, events } = await storeOfTasks();
    const { uid, run } = await dispatch();
    const { id } = await child(run);
    await runs.cancel(id, LATER);
    expect((await tasks.find(uid))?.stage).toBe("TRIAGE");
    await runs.cancel(run.id, LATER);
    expect((await tasks.find(uid))?.stage).toBe("CANCELLED");
    expect(await events(uid)).toMatchObject([{}, { to: "CANCELLED", byItself: 1, run: run.id }]);
  });

  test("by a cancellation leaves a task complete", async () => {
    const { dispatch, runs, tasks } = await storeOfTasks();
    const { uid, run } = await dispatch();
    await tasks.update(uid, { stage: "COMPLETE" }, ANN, AT);
    await runs.cancel(run.id, LATER);
    expect((await tasks.find(uid))?.stage).toBe("COMPLETE");
  });
});

test("tasks leave with the runs that they had, once they are closed or deleted", async () => {
  const { dispatch, tasks, runs, events } = await storeOfTasks();
  const [closed, deleted, open, kept] = [
    await dispatch(),
    await dispatch(),
    await dispatch(),
    await dispatch(),
  ];
  for (const { uid } of [closed, kept]) await tasks.cancel(uid, ANN.principal, AT);
  await tasks.remove(deleted.uid, undefined, AT);
  for (const { run } of [closed, open, deleted]) {
    await runs.cancel(run.id, AT);
    await runs.forgetRun(run.id, AT);
  }
  await tasks.update(open.uid, { stage: "SPEC" }, ANN, AT);
  expect(await tasks.forget(AT, 10)).toBe(0);
  expect(await tasks.forget(LATER, 10)).toBe(2);
  expect(await Promise.all([closed, open, kept].map(({ uid }) => tasks.find(uid)))).toEqual([
    undefined,
    expect.objectContaining({ uid: open.uid }),
    expect.objectContaining({ uid: kept.uid }),
  ]);
  expect([await events(closed.uid), await events(deleted.uid)]).toEqual([[], []]);
});

test("the deletion of a factory deletes its tasks, and leaves the runs", async () => {
  const { dispatch, tasks, runs, events, factoryDeletions, factoryUid } = await storeOfTasks();
  const { uid, run } = await dispatch();
  await factoryDeletions.remove(factoryUid, LATER);
  expect([await tasks.find(uid), await events(uid)]).toEqual([undefined, []]);
  expect(await runs.find(run.id)).toMatchObject({ state: "CANCELLED", taskUid: null });
});

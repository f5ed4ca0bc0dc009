import { describe, expect, test } from "vitest";
import { recordTag } from "../../../src/concurrency/record-tag.ts";
import { newUid, newUuid } from "../../../src/id.ts";
import { MAX_MOVES_OF_RUN } from "../../../src/runs/rules/stage.ts";
import { ANN, storeOfTasks } from "../../given/factory.ts";
import { AT, LATER } from "../../given/store.ts";

describe("a task", () => {
  test("is made in the transaction of its first run, and the runs that this one starts belong to it", async () => {
    const { dispatch, child, tasks, runs, factoryUid, events } = await storeOfTasks();
    const { uid, run } = await dispatch();
    expect(await tasks.find(uid)).toEqual({
      uid,
      factoryUid,
      conversationId: run.id,
      title: "Fix it",
      description: null,
      stage: "TRIAGE",
      stageAt: AT,
      author: run.creator,
      ticket: { source: "linear", id: "T-1", url: null },
      createdAt: AT,
      updatedAt: AT,
    });
    const grandchild = await child(await child(run));
    expect([run.taskUid, grandchild.taskUid]).toEqual([uid, uid]);
    expect((await tasks.listRuns(uid, { limit: 10 })).map(({ id }) => id)).toHaveLength(3);
    expect(await events(uid)).toEqual([{ from: null, to: "TRIAGE", byItself: 0, run: null }]);
    expect((await runs.find(grandchild.id))?.taskUid).toBe(uid);
  });

  test("is not made with a run that its factory's deletion has cancelled", async () => {
    const { dispatch, factoryDeletions, factoryUid, tasks } = await storeOfTasks();
    await factoryDeletions.remove(factoryUid, AT);
    const { uid, run } = await dispatch();
    expect([run.state, run.taskUid, await tasks.find(uid)]).toEqual(["CANCELLED", null, undefined]);
  });

  test("is bound to a conversation of its factory that no other task has", async () => {
    const { run, runs, tasks, factoryUid, dispatch, child } = await storeOfTasks();
    const { id } = await runs.create(run({ metadata: { ticket_id: "7", ticket_source: "jira" } }), AT);
    const asked = (conversationId: string) =>
      tasks.create(
        { uid: newUid(), factoryUid, conversationId, title: "T", description: null, stage: "SPEC" },
        ANN,
        AT,
      );
    const made = await asked(id);
    expect(made).toMatchObject({ stage: "SPEC", ticket: { id: "7", source: "jira" } });
    expect(await asked(id)).toBe("taken");
    expect(await asked(newUuid())).toBe("no run");
    expect(await asked((await child((await dispatch()).run)).id)).toBe("taken");
  });

  test("of a conversation has the runs that were started for it, and those that repeat them, of its factory alone", async () => {
    const { run, runs, tasks, factoryUid, child } = await storeOfTasks();
    const first = await runs.create(run(), AT);
    const before = await child(await child(first));
    const stranger = await runs.create(run({ factoryUid: null, ancestors: [first.id] }), AT);
    const task = { uid: newUid(), factoryUid, title: "T", description: null, stage: "TRIAGE" } as const;
    await tasks.create({ ...task, conversationId: first.id }, ANN, AT);
    const after = await child(first);
    const again = await runs.create(run({ rerun: { of: after.id, deliveryId: null } }), AT);
    const other = await runs.create(run({ factoryUid: null, ancestors: [first.id] }), AT);
    const uids = async (ids: string[]) => Promise.all(ids.map(async (id) => (await runs.find(id))?.taskUid));
    const ids = [first, before, after, again, stranger, other].map(({ id }) => id);
    expect(await uids(ids)).toEqual([task.uid, task.uid, task.uid, task.uid, null, null]);
  });

  test("moves from every stage to every other, and each move is an event of its transaction", async () => {
    const { dispatch, tasks, events, changes } = await storeOfTasks();
    const { uid, run } = await dispatch();
    await tasks.update(uid, { stage: "COMPLETE" }, ANN, LATER);
    await tasks.update(uid, { stage: "COMPLETE" }, ANN, LATER);
    const back = await tasks.update(uid, { stage: "SPEC" }, { ...ANN, runId: run.id }, LATER);
    expect(back).toMatchObject({ stage: "SPEC", stageAt: LATER, updatedAt: LATER });
    expect(await events(uid)).toEqual([
      { from: null, to: "TRIAGE", byItself: 0, run: null },
      { from: "TRIAGE", to: "COMPLETE", byItself: 0, run: null },
      { from: "COMPLETE", to: "SPEC", byItself: 0, run: run.id },
    ]);
    const told = (await changes.listAfter(0, 100)).filter(({ kind }) => kind === "task");
    expect(told.map(({ subject, status }) => [subject, status])).toEqual([
      [uid, "TRIAGE"],
      [uid, "COMPLETE"],
      [uid, "SPEC"],
    ]);
  });

  test("is moved by the agent of one run so many times, and by a person still", async () => {
    const { dispatch, tasks } = await storeOfTasks();
    const { uid, run } = await dispatch();
    const move = (by: typeof ANN, count: number) =>
      tasks.update(uid, { stage: count % 2 === 0 ? "SPEC" : "TRIAGE" }, by, AT);
    const agent = { ...ANN, runId: run.id };
    for (let count = 0; count < MAX_MOVES_OF_RUN; count += 1) await move(agent, count);
    expect(await move(agent, 0)).toBe("too many moves");
    expect(await move(ANN, 0)).toMatchObject({ stage: "SPEC" });
  });

  test("that has changed since it was read is not changed by whoever says so", async () => {
    const { dispatch, tasks } = await storeOfTasks();
    const { uid } = await dispatch();
    const before = await tasks.find(uid);
    if (!before) throw new Error("there is no task");
    const seen = { ...ANN, expected: [recordTag(before)] };
    const outcomes = await Promise.all([
      tasks.update(uid, { title: "One" }, seen, LATER),
      tasks.update(uid, { title: "Another" }, seen, LATER),
    ]);
    expect(outcomes).toEqual([expect.objectContaining({ title: "One" }), "changed"]);
    expect(await tasks.remove(uid, seen.expected, LATER)).toBe("changed");
    expect(await tasks.update(uid, { title: "Last" }, ANN, LATER)).toMatchObject({ title: "Last" });
  });

  test("that is deleted leaves its runs, whose conversation can become another task", async () => {
    const { dispatch, tasks, runs, factoryUid } = await storeOfTasks();
    const { uid, run } = await dispatch();
    const removed = await Promise.all([
      tasks.remove(uid, undefined, LATER),
      tasks.update(uid, { stage: "SPEC" }, ANN, LATER),
      tasks.remove(uid, undefined, LATER),
    ]);
    expect(removed).toEqual(["removed", undefined, undefined]);
    expect(await tasks.find(uid)).toBeUndefined();
    expect(await runs.find(run.id)).toMatchObject({ state: "QUEUED", taskUid: null });
    const another = { uid: newUid(), factoryUid, title: "T", description: null, stage: "TRIAGE" } as const;
    expect(await tasks.create({ ...another, conversationId: run.id }, ANN, LATER)).toMatchObject(another);
  });
});

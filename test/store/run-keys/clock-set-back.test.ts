import { expect, test } from "vitest";
import { firstUuidOf } from "../../../src/id.ts";
import { keyedStore } from "../../given/keyed-runs.ts";

const DAY_MS = 86_400_000;
const debounce = { quietMs: 30_000, longestMs: 300_000 };
/** The id of a run that was made before the clock was set back by a day. */
const ahead = () => ({ run: { id: firstUuidOf(Date.now() + DAY_MS) } });

test.each(["queue", "join", "continue"] as const)(
  "deliveries in one window are one run after the clock was set back (%s)",
  async (policy) => {
    const { deliver, start, finish, runs } = await keyedStore({ policy, debounce, maxTurns: 1 });
    const old = await deliver({ at: 0, ...ahead() });
    await runs.closeDueWindows("2026-11-21T10:00:30.000Z", 10);
    await start(30);
    await finish(old.runId, 31);
    const given = [await deliver({ at: 40 }), await deliver({ at: 41 }), await deliver({ at: 42 })];
    expect(given.map(({ kind }) => kind)).toEqual(["started", "joined", "joined"]);
    expect(new Set(given.map(({ runId }) => runId)).size).toBe(1);
  },
);

test("messages of a thread are turns of one run after the clock was set back", async () => {
  const { deliver, start, finish } = await keyedStore({ policy: "continue", maxTurns: 2 });
  const old = await deliver(ahead());
  await start();
  await finish(old.runId);
  expect(await deliver()).toMatchObject({ kind: "continued", runId: old.runId });
  await start();
  await finish(old.runId);
  const next = await deliver();
  await start();
  await finish(next.runId);
  expect([next.kind, (await deliver()).runId]).toEqual(["started", next.runId]);
});

test("a run that is started after the clock was set back has its task and its attachments", async () => {
  const { deliver, runs, connection } = await keyedStore({ policy: "queue" });
  await deliver(ahead());
  const task = { uid: "the-task", title: "A task", ticket: null };
  const { runId } = await deliver({ run: { task } });
  expect(await runs.find(runId)).toMatchObject({ taskUid: "the-task" });
  const row = await connection.first("SELECT conversation_id AS id FROM tasks WHERE uid = $1", ["the-task"]);
  expect(row).toEqual({ id: runId });
  expect((await runs.listAttachments(runId)).map(({ name }) => name)).toEqual(["event-payload.json"]);
});

test("a message is after those that were written before the clock was set back", async () => {
  const { deliver, start, runs } = await keyedStore({ policy: "continue" });
  const { runId } = await deliver();
  await start();
  const creator = { uid: "ann", type: "user", displayName: "Ann" } as const;
  const message = { id: firstUuidOf(Date.now() + DAY_MS), runId, message: "First.", creator };
  await runs.followUp(message, null, new Date().toISOString());
  await deliver();
  await deliver();
  const said = await runs.listFollowUps(runId);
  expect(said.map((each) => each.creator.displayName).slice(0, 3)).toEqual([
    "Ann",
    "webhook ci",
    "webhook ci",
  ]);
});

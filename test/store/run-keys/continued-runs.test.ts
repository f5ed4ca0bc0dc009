import { describe, expect, test } from "vitest";
import { keyedStore } from "../../given/keyed-runs.ts";

const HOUR_MS = 3_600_000;

describe("whileRunning: continue", () => {
  test("makes three messages of a thread one run with three turns", async () => {
    const { deliver, start, finish, runs } = await keyedStore({ policy: "continue" });
    const a = await deliver();
    for (let turn = 1; turn < 3; turn += 1) {
      expect(await start()).toEqual([a.runId]);
      await finish(a.runId);
      const next = await deliver();
      expect(next).toMatchObject({ kind: "continued", runId: a.runId });
      expect(next.effects?.messaged).toEqual([a.runId]);
      expect(await runs.find(a.runId)).toMatchObject({
        state: "QUEUED",
        turn: turn + 1,
        deliveryId: next.id,
      });
    }
    expect(await start()).toEqual([a.runId]);
    const said = (await runs.listFollowUps(a.runId)).map(({ message, creator }) => [
      message.slice(0, 6),
      creator.displayName,
    ]);
    expect(said).toEqual([
      ["About ", "webhook ci"],
      ["About ", "webhook ci"],
    ]);
  });

  test("joins a run that no worker has had yet", async () => {
    const { deliver } = await keyedStore({ policy: "continue" });
    const [a, b] = [await deliver(), await deliver()];
    expect(b).toMatchObject({ kind: "joined", runId: a.runId });
  });

  test("leaves a message for a run that is at work, which gets it in its next turn", async () => {
    const { deliver, start, finish, runs, connection } = await keyedStore({ policy: "continue" });
    const a = await deliver();
    await start();
    const [b, c] = [await deliver(), await deliver()];
    expect([b.kind, c.kind]).toEqual(["continued", "continued"]);
    const countUngiven = () =>
      connection.first("SELECT COUNT(*) AS count FROM run_followups WHERE given_at IS NULL", []);
    await finish(a.runId);
    expect(await runs.find(a.runId)).toMatchObject({ state: "QUEUED", turn: 2 });
    expect(await countUngiven()).toEqual({ count: 2 });
    expect(await runs.listFollowUps(a.runId)).toMatchObject([
      { message: `About ${b.id}`, turn: 2 },
      { message: `About ${c.id}`, turn: 2 },
    ]);
    expect(await start()).toEqual([a.runId]);
    expect(await countUngiven()).toEqual({ count: 0 });
  });

  test("answers the question of a run that is blocked", async () => {
    const { deliver, standing, runs } = await keyedStore({ policy: "continue" });
    const a = await standing("resting");
    const b = await deliver();
    expect(b).toMatchObject({ kind: "continued", runId: a });
    expect(await runs.find(a)).toMatchObject({ state: "QUEUED", turn: 2 });
    expect(await runs.listFollowUps(a)).toMatchObject([{ isAnswer: true }]);
  });

  test("wakes a run that waits for others", async () => {
    const { deliver, standing, runs } = await keyedStore({ policy: "continue" });
    const a = await standing("parent");
    expect(await deliver()).toMatchObject({ kind: "continued", runId: a });
    expect(await runs.find(a)).toMatchObject({ state: "QUEUED", turn: 2, waitingFor: null });
  });

  test("starts another run after forgetAfter", async () => {
    const { deliver, start, finish } = await keyedStore({ policy: "continue", forgetAfterMs: HOUR_MS });
    const a = await deliver({ at: 0 });
    await start(1);
    await finish(a.runId, 2);
    expect((await deliver({ at: 3_599 })).runId).toBe(a.runId);
    await start(3_599);
    await finish(a.runId, 3_599);
    const next = await deliver({ at: 3_600 });
    expect([next.kind, next.runId === a.runId]).toEqual(["started", false]);
  });

  test("starts another run after maxTurns, which waits for the one that is at work", async () => {
    const { deliver, start, finish } = await keyedStore({ policy: "continue", maxTurns: 2 });
    const a = await deliver();
    await start();
    await finish(a.runId);
    expect((await deliver()).runId).toBe(a.runId);
    await start();
    const next = await deliver();
    expect([next.kind, next.runId === a.runId, next.isHeld]).toEqual(["started", false, true]);
    await finish(a.runId);
    expect(await start()).toEqual([next.runId]);
  });

  test("starts another run after somebody has cancelled the one before", async () => {
    const { deliver, runs } = await keyedStore({ policy: "continue" });
    const a = await deliver();
    await runs.cancel(a.runId, new Date().toISOString());
    const b = await deliver();
    expect([b.kind, b.runId === a.runId, b.isHeld]).toEqual(["started", false, false]);
  });
});

describe("a key", () => {
  test("is held by a blocked run until forgetAfter, and not longer", async () => {
    const { deliver, start, standing, runs } = await keyedStore({ policy: "queue", forgetAfterMs: HOUR_MS });
    await standing("resting");
    const waiting = await deliver({ at: 10 });
    const due = new Date(Date.parse("2026-11-21T11:00:00.000Z")).toISOString();
    expect(await runs.findNextWindowEnd("2026-11-21T10:59:00.000Z")).toBe(due);
    expect(await runs.closeDueWindows("2026-11-21T10:59:59.000Z", 10)).toBe(0);
    expect(await runs.closeDueWindows(due, 10)).toBe(1);
    expect(await start(3_600)).toEqual([waiting.runId]);
  });

  test("is taken by one run, also when somebody continues an earlier one by hand", async () => {
    const { deliver, start, finish, runs } = await keyedStore({ policy: "queue" });
    const a = await deliver();
    await start();
    await finish(a.runId);
    const b = await deliver();
    await start();
    const creator = { uid: "ann", type: "user", displayName: "Ann" } as const;
    await runs.followUp(
      { id: "f1", runId: a.runId, message: "Go on.", creator },
      null,
      new Date().toISOString(),
    );
    expect(await start()).toEqual([]);
    await finish(b.runId);
    expect(await start()).toEqual([a.runId]);
  });

  test("that a run was blocked with for too long is not said to be that one's", async () => {
    const { deliver, start, standing, runs } = await keyedStore({ policy: "queue", forgetAfterMs: 10_000 });
    await standing("resting");
    const b = await deliver({ at: 20 });
    await start(20);
    const c = await deliver({ at: 21 });
    const caps = { automations: {}, factories: {}, budgets: {} };
    const placeOf = (id: string) => runs.findQueuePlace(id, caps, "2026-11-21T10:00:22.000Z");
    expect(await placeOf(c.runId)).toMatchObject({ hold: { kind: "key", holder: b.runId } });
  });

  test("that no run has is said to be that of the oldest one that waits", async () => {
    const { deliver, start, runs, connection } = await keyedStore({ policy: "queue" });
    const [a, b, c] = [await deliver(), await deliver(), await deliver()];
    await start();
    // As a server of an earlier version ends it.
    const ended = "UPDATE runs SET state = 'CANCELLED', lease_expires_at = NULL WHERE run_id = $1";
    await connection.run(ended, [a.runId]);
    const caps = { automations: {}, factories: {}, budgets: {} };
    const place = await runs.findQueuePlace(c.runId, caps, new Date().toISOString());
    expect(place).toMatchObject({ hold: { kind: "key", holder: b.runId } });
  });

  test("says why a run waits for it", async () => {
    const { deliver, start, runs } = await keyedStore({ policy: "queue" });
    const a = await deliver();
    await start();
    const [b, c] = [await deliver(), await deliver()];
    const caps = { automations: {}, factories: {}, budgets: {} };
    const at = new Date().toISOString();
    expect(await runs.findQueuePlace(b.runId, caps, at)).toMatchObject({
      hold: { kind: "key", key: "k", holder: a.runId },
      ahead: 0,
    });
    expect(await runs.findQueuePlace(c.runId, caps, at)).toMatchObject({ ahead: 1 });
  });
});

import { describe, expect, test, vi } from "vitest";
import { atSecond, keyedStore } from "../../given/keyed-runs.ts";

const ANN = { uid: "ann", type: "user", displayName: "Ann" } as const;
const say = (runId: string) => ({ id: `f${runId}`, runId, message: "Go on.", creator: ANN });

describe("a key is not held for ever", () => {
  test("when a run that waited for others goes on, which others wait for", async () => {
    const { deliver, start, finish, standing, runs } = await keyedStore({ policy: "queue" });
    const a = await standing("parent");
    const [child = ""] = (await runs.find(a))?.waitingFor ?? [];
    const b = await deliver();
    expect(await start(5)).toEqual([child]);
    await finish(child, 6);
    expect(await start(7)).toEqual([a]);
    await finish(a, 8);
    expect(await start(9)).toEqual([b.runId]);
  });

  test("when the question of a run is answered that others wait for", async () => {
    const { deliver, start, finish, standing, runs } = await keyedStore({ policy: "queue" });
    const a = await standing("resting");
    const b = await deliver();
    await runs.followUp(say(a), null, atSecond(5));
    expect(await start(6)).toEqual([a]);
    await finish(a, 7);
    expect(await start(8)).toEqual([b.runId]);
  });

  test("when a server of an earlier version has ended the run that had it, or one that waited", async () => {
    const { deliver, start, runs, connection } = await keyedStore({ policy: "queue" });
    const [a, b, c] = [await deliver(), await deliver(), await deliver()];
    await start();
    const ended = "UPDATE runs SET state = 'CANCELLED', lease_expires_at = NULL WHERE run_id IN ($1, $2)";
    await connection.run(ended, [a.runId, b.runId]);
    const keys = await runs.listStrandedKeys(atSecond(9), 10);
    expect(keys).toEqual(["a k"]);
    await runs.releaseKeys(keys, atSecond(9));
    expect(await start(10)).toEqual([c.runId]);
    expect(await runs.listStrandedKeys(atSecond(11), 10)).toEqual([]);
  });

  test("when no server has ended anything, nothing is found", async () => {
    const { deliver, start, runs } = await keyedStore({ policy: "queue" });
    await deliver();
    await start();
    await deliver();
    expect(await runs.listStrandedKeys(atSecond(9), 10)).toEqual([]);
  });
});

describe("a key that a run was blocked with for too long", () => {
  test("is not looked at again while the next run has it", async () => {
    const { deliver, start, standing, runs } = await keyedStore({ policy: "queue", forgetAfterMs: 10_000 });
    await standing("resting");
    const [b] = [await deliver({ at: 1 }), await deliver({ at: 2 })];
    expect(await runs.closeDueWindows(atSecond(10), 10)).toBe(1);
    expect(await start(11)).toEqual([b.runId]);
    expect(await runs.closeDueWindows(atSecond(20), 10)).toBe(0);
    expect(await runs.findNextWindowEnd(atSecond(20))).toBeUndefined();
  });

  test("is found also when it blocks after others wait for it", async () => {
    const { deliver, start, runs } = await keyedStore({ policy: "queue", forgetAfterMs: 10_000 });
    const a = await deliver({ at: 0 });
    await start(0);
    await deliver({ at: 1 });
    expect(await runs.findNextWindowEnd(atSecond(2))).toBeUndefined();
    await runs.block({ id: a.runId, turn: 1 }, "Which one?", atSecond(3));
    expect(await runs.findNextWindowEnd(atSecond(4))).toBe(atSecond(10));
  });

  test("is replaced only after its agent has ended", async () => {
    const { deliver, start, finish, standing } = await keyedStore({
      policy: "replace",
      forgetAfterMs: 10_000,
    });
    const a = await standing("blocked");
    const b = await deliver({ at: 20 });
    expect(await start(21)).toEqual([]);
    await finish(a, 22);
    expect(await start(23)).toEqual([b.runId]);
  });
});

describe("a run that goes on", () => {
  test("waits for no other run of an automation that has only a window", async () => {
    const debounce = { quietMs: 10_000, longestMs: 100_000 };
    const { deliver, start, finish, runs } = await keyedStore({ policy: "none", debounce });
    const a = await deliver({ key: "", at: 0 });
    await runs.closeDueWindows(atSecond(10), 10);
    await start(10);
    await finish(a.runId, 11);
    await deliver({ key: "", at: 20 });
    await runs.closeDueWindows(atSecond(30), 10);
    await start(30);
    await runs.followUp(say(a.runId), null, atSecond(31));
    expect(await start(32)).toEqual([a.runId]);
  });

  test("keeps its key between two turns, before those that wait for it", async () => {
    const { deliver, start, finish, runs } = await keyedStore({ policy: "queue" });
    const a = await deliver();
    await start();
    const b = await deliver();
    await runs.followUp(say(a.runId), null, atSecond(5));
    await finish(a.runId, 6);
    expect(await start(7)).toEqual([a.runId]);
    await finish(a.runId, 8);
    expect(await start(9)).toEqual([b.runId]);
  });
});

describe("a delivery starts a run of its own", () => {
  test("if the one that waits is for another machine or another agent", async () => {
    const { deliver } = await keyedStore({ policy: "join" });
    const a = await deliver();
    for (const run of [{ placement: "trusted" }, { agentUid: "other" }]) {
      const next = await deliver({ run });
      expect([next.kind, next.runId === a.runId, next.isHeld]).toEqual(["started", false, true]);
    }
  });

  test("if a run waits for the approval of its plan, which stays as it is", async () => {
    const { deliver, start, runs, connection } = await keyedStore({ policy: "continue" });
    const a = await deliver();
    await start();
    const sql = "SELECT ticket FROM runs WHERE run_id = $1";
    const row = await connection.first<{ ticket: number }>(sql, [a.runId]);
    const plan = { file: "1. Do it.", output: "", most: 10 } as never;
    await runs.proposePlan({ id: a.runId, ticket: row?.ticket ?? 0 }, plan, atSecond(5));
    const b = await deliver({ at: 6 });
    expect([b.kind, b.runId === a.runId, b.isHeld]).toEqual(["started", false, true]);
    expect(await runs.find(a.runId)).toMatchObject({ state: "BLOCKED", planState: "proposed" });
  });

  test("if the one that waits is full, also with continue", async () => {
    const { deliver } = await keyedStore({ policy: "continue" });
    const first = await deliver();
    for (let n = 1; n < 500; n += 1) await deliver();
    expect(await deliver()).toMatchObject({ kind: "started", isHeld: true });
    expect((await deliver()).runId).not.toBe(first.runId);
  });
});

test("a delivery is part of the last turn as long as that waits", async () => {
  const { deliver, start, finish } = await keyedStore({ policy: "continue", maxTurns: 2 });
  const a = await deliver();
  await start();
  await finish(a.runId);
  for (let n = 0; n < 2; n += 1) expect(await deliver()).toMatchObject({ kind: "continued", runId: a.runId });
});

test("hundreds of waiting runs are replaced by one statement, and by two more each that record it", async () => {
  const replace = async (count: number) => {
    const { connection, deliver, start, finish } = await keyedStore({ policy: "queue" });
    const first = await deliver();
    await start();
    for (let n = 0; n < count; n += 1) await deliver();
    const spies = (["all", "first", "run"] as const).map((method) => vi.spyOn(connection, method));
    const { effects, runId } = await deliver({ policy: "replace" });
    const statements = spies.flatMap(({ mock }) => mock.calls.map(([sql]) => sql));
    expect(effects?.ended).toHaveLength(count + 1);
    await finish(first.runId);
    expect(await start()).toEqual([runId]);
    return statements;
  };
  const [few, many] = [await replace(3), await replace(300)];
  const cancels = many.filter((sql) => sql.startsWith("UPDATE runs SET state = 'CANCELLED'"));
  expect(cancels).toHaveLength(1);
  expect(many.length - few.length).toBeLessThanOrEqual(2 * (300 - 3));
});

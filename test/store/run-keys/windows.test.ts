import { describe, expect, test } from "vitest";
import { WINDOW_QUERIES } from "../../../src/store/run-keys/run-windows.ts";
import { KEY_QUERIES } from "../../../src/store/runs/key-holds.ts";
import type { SqliteConnection } from "../../../src/store/sqlite/sqlite.ts";
import { atSecond, keyedStore } from "../../given/keyed-runs.ts";
import { onSqlite } from "../../given/postgres.ts";

const debounce = { quietMs: 30_000, longestMs: 300_000 };

/** How SQLite carries out a statement. */
const explainer = (connection: SqliteConnection) => async (sql: string) => {
  const values = Array.from({ length: new Set(sql.match(/\$\d/g)).size }, () => "1");
  const steps = await connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values);
  return steps.map(({ detail }) => detail);
};

describe("a window", () => {
  test.each(["queue", "join", "continue", "none"] as const)(
    "makes one run of the deliveries that come in it (%s)",
    async (policy) => {
      const { deliver, start, runs } = await keyedStore({ policy, debounce });
      const [a, b, c] = [await deliver({ at: 0 }), await deliver({ at: 20 }), await deliver({ at: 45 })];
      expect([a.kind, b.kind, c.kind]).toEqual(["started", "joined", "joined"]);
      expect(await runs.findNextWindowEnd(atSecond(46))).toBe(atSecond(75));
      expect(await runs.closeDueWindows(atSecond(74), 10)).toBe(0);
      expect(await start(74)).toEqual([]);
      expect(await runs.closeDueWindows(atSecond(75), 10)).toBe(1);
      expect(await start(75)).toEqual([a.runId]);
      expect(await runs.findNextWindowEnd(atSecond(76))).toBeUndefined();
    },
  );

  test("ends after the longest time, however many deliveries come", async () => {
    const { deliver, runs } = await keyedStore({ policy: "join", debounce });
    const first = await deliver({ at: 0 });
    for (let at = 20; at < 300; at += 20) expect((await deliver({ at })).runId).toBe(first.runId);
    expect(await runs.findNextWindowEnd(atSecond(290))).toBe(atSecond(300));
  });

  test("takes only the newest delivery with replace, and is not made longer by that", async () => {
    const { deliver, start, runs, stateOf } = await keyedStore({ policy: "replace", debounce });
    const given = [];
    for (let at = 0; at < 300; at += 25) given.push(await deliver({ at }));
    expect(await runs.findNextWindowEnd(atSecond(290))).toBe(atSecond(300));
    await runs.closeDueWindows(atSecond(300), 10);
    expect(await start(300)).toEqual([given.at(-1)?.runId]);
    for (const { runId } of given.slice(0, -1)) expect(await stateOf(runId)).toBe("CANCELLED");
  });

  test.each(["join", "replace"] as const)(
    "does not end earlier because a delivery is recorded after a later one (%s)",
    async (policy) => {
      const { deliver, runs } = await keyedStore({ policy, debounce });
      for (const at of [10, 25, 20]) await deliver({ at });
      expect(await runs.findNextWindowEnd(atSecond(26))).toBe(atSecond(55));
      await deliver({ at: 30 });
      expect(await runs.findNextWindowEnd(atSecond(31))).toBe(atSecond(60));
    },
  );

  test("waits for the run of its key when it ends", async () => {
    const { deliver, start, finish, runs } = await keyedStore({ policy: "join", debounce });
    const a = await deliver({ at: 0 });
    await runs.closeDueWindows(atSecond(30), 10);
    await start(30);
    const b = await deliver({ at: 40 });
    await runs.closeDueWindows(atSecond(70), 10);
    expect(await start(70)).toEqual([]);
    expect(await deliver({ at: 90 })).toMatchObject({ kind: "joined", runId: b.runId });
    await finish(a.runId, 100);
    expect(await start(100)).toEqual([b.runId]);
  });

  test("does not hold back the runs of an automation without a key", async () => {
    const { deliver, start, runs } = await keyedStore({ policy: "none", debounce });
    const a = await deliver({ at: 0, key: "" });
    await runs.closeDueWindows(atSecond(30), 10);
    await start(30);
    const b = await deliver({ at: 40, key: "" });
    await runs.closeDueWindows(atSecond(70), 10);
    expect(await start(70)).toEqual([b.runId]);
    expect(a.runId).not.toBe(b.runId);
  });

  test("has a later turn of a run wait for further messages", async () => {
    const { deliver, start, finish, runs } = await keyedStore({ policy: "continue", debounce });
    const a = await deliver({ at: 0 });
    await runs.closeDueWindows(atSecond(30), 10);
    await start(30);
    await finish(a.runId, 40);
    expect(await deliver({ at: 50 })).toMatchObject({ kind: "continued", isHeld: true });
    expect(await deliver({ at: 60 })).toMatchObject({ kind: "continued", isHeld: true });
    expect(await start(70)).toEqual([]);
    await runs.closeDueWindows(atSecond(90), 10);
    expect(await start(90)).toEqual([a.runId]);
    expect(await runs.find(a.runId)).toMatchObject({ turn: 2 });
    expect(await runs.listFollowUps(a.runId)).toHaveLength(2);
  });

  test("of a later turn is no reason to say that the first delivery waits", async () => {
    const { deliver, start, finish, runs } = await keyedStore({ policy: "continue", debounce });
    const a = await deliver({ at: 0 });
    const isHeld = async (id: string) => (await runs.listDispositions(id))[0]?.isHeld;
    expect(await isHeld(a.id)).toBe(true);
    await runs.closeDueWindows(atSecond(30), 10);
    expect(await isHeld(a.id)).toBe(false);
    await start(30);
    await finish(a.runId, 40);
    const b = await deliver({ at: 50 });
    expect([await isHeld(a.id), await isHeld(b.id)]).toEqual([false, true]);
  });

  test("ends at once when the clock was set back by a day", async () => {
    const { deliver, start, runs } = await keyedStore({ policy: "join", debounce });
    const a = await deliver({ at: 86_400 });
    expect(await runs.findNextWindowEnd(atSecond(0))).toBe(atSecond(0));
    expect(await runs.closeDueWindows(atSecond(0), 10)).toBe(1);
    expect(await start(0)).toEqual([a.runId]);
  });

  test("does not end because another server's clock is a little ahead of the leader's", async () => {
    const { deliver, start, runs } = await keyedStore({ policy: "join", debounce });
    const a = await deliver({ at: 2 });
    expect(await runs.findNextWindowEnd(atSecond(0))).toBe(atSecond(32));
    expect(await runs.closeDueWindows(atSecond(0), 10)).toBe(0);
    expect(await deliver({ at: 3 })).toMatchObject({ kind: "joined", runId: a.runId });
    expect(await start(4)).toEqual([]);
  });

  test("ends when its automation has another one, or none any more", async () => {
    const { deliver, start, runs } = await keyedStore({ policy: "join", debounce });
    const a = await deliver({ at: 0 });
    const open = await runs.listOpenWindows();
    expect(open).toEqual([{ factoryUid: "f", automationUid: "a", setting: "30000/300000" }]);
    for (const each of open) expect(await runs.endWindows(each, atSecond(1), 10)).toBe(1);
    await runs.closeDueWindows(atSecond(1), 10);
    expect(await start(1)).toEqual([a.runId]);
    expect(await runs.listOpenWindows()).toEqual([]);
  });

  test.each([
    ["has just been ended", true],
    ["is about to be ended", false],
  ])("that %s, because its automation has none any more, lets no newer run go first", async (_, isEnded) => {
    const { deliver, start, finish, runs } = await keyedStore({ policy: "queue", debounce });
    const a = await deliver({ at: 0 });
    const [open] = await runs.listOpenWindows();
    const end = async () => open && runs.endWindows(open, atSecond(1), 10);
    if (isEnded) await end();
    const b = await deliver({ at: 2, isWindowGone: true });
    expect([b.kind, b.isHeld]).toEqual(["started", true]);
    expect(await start(2)).toEqual([]);
    if (!isEnded) await end();
    await runs.closeDueWindows(atSecond(3), 10);
    expect(await start(3)).toEqual([a.runId]);
    await finish(a.runId, 4);
    expect(await start(4)).toEqual([b.runId]);
  });

  test("is one of so many that end in one transaction when their automation has no window any more", async () => {
    const { deliver, start, runs } = await keyedStore({ policy: "join", debounce });
    for (const key of ["a", "b", "c"]) await deliver({ at: 0, key });
    const [open] = await runs.listOpenWindows();
    if (!open) throw new Error("no window is open");
    const ended = [];
    for (let n = 0; n < 3; n += 1) ended.push(await runs.endWindows(open, atSecond(1), 2));
    expect(ended).toEqual([2, 1, 0]);
    expect(await runs.closeDueWindows(atSecond(1), 10)).toBe(3);
    expect(await start(1)).toHaveLength(3);
  });

  test("is over for a run that was cancelled in it", async () => {
    const { deliver, start, runs, stateOf } = await keyedStore({ policy: "join", debounce });
    const a = await deliver({ at: 0 });
    await runs.cancel(a.runId, atSecond(1));
    const b = await deliver({ at: 2 });
    expect([b.kind, b.runId === a.runId]).toEqual(["started", false]);
    await runs.closeDueWindows(atSecond(60), 10);
    expect(await start(60)).toEqual([b.runId]);
    expect(await stateOf(a.runId)).toBe("CANCELLED");
  });

  onSqlite("is found by an index, however many runs there are", async () => {
    const { connection } = await keyedStore({ policy: "join", debounce });
    const planOf = explainer(connection);
    for (const [name, sql] of Object.entries({ ...WINDOW_QUERIES, ...KEY_QUERIES })) {
      const scans = (await planOf(sql)).filter((detail) => /SCAN (?:runs|blocked)(?! .*USING)/.test(detail));
      expect(scans, name).toEqual([]);
    }
    // Of a key that thousands of runs wait for, these are stepped over.
    for (const sql of [KEY_QUERIES.HAS, KEY_QUERIES.RELEASE])
      expect((await planOf(sql ?? "")).join()).toContain("USING INDEX runs_that_have_keys");
  });

  onSqlite("is found without a step over the runs that wait for other keys", async () => {
    const { connection } = await keyedStore({ policy: "join", debounce });
    const planOf = explainer(connection);
    const { STRANDED, NEXT_ENDS, BLOCKED_TOO_LONG, DUE, END_WINDOWS } = WINDOW_QUERIES;
    const { WAITS, RELEASE } = KEY_QUERIES;
    for (const [name, sql] of Object.entries({ WAITS, RELEASE, STRANDED, NEXT_ENDS, BLOCKED_TOO_LONG })) {
      const plan = (await planOf(sql ?? "")).join();
      expect(plan, name).toMatch(/runs_held_for_key \(concurrency_key=\?/);
      expect(plan, name).not.toMatch(/runs_in_windows \(held_until=\?/);
    }
    expect((await planOf(DUE ?? "")).join()).toMatch(/runs_in_windows \(held_until<\?\)/);
    expect((await planOf(KEY_QUERIES.IN_WINDOW ?? "")).join()).toContain("runs_of_keys_in_windows (concurr");
    expect((await planOf(END_WINDOWS ?? "")).join()).toContain("runs_of_windows (factory_uid=? AND");
  });
});

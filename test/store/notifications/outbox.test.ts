import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import type { NewNotification } from "../../../src/messages/notifications.ts";
import { notificationStore } from "../../../src/store/outbox/notification-store.ts";
import type { Database } from "../../../src/store/sqlite/database.ts";
import { aFactory } from "../../given/factory.ts";
import { POSTGRES_URL } from "../../given/postgres.ts";
import { AT, aStore } from "../../given/store.ts";

const MIB = 1024 * 1024;
const now = () => new Date().toISOString();

function aNotification(change: Partial<NewNotification> = {}): NewNotification {
  const at = now();
  return {
    id: newUuid(),
    cause: `run.failed:${newUuid()}`,
    target: "settings.ops",
    fingerprint: "f1",
    ownerUid: null,
    factoryUid: null,
    runId: null,
    event: "run.failed",
    content: { event: "run.failed", at, summary: "A run failed", url: "http://localhost/", factory: null },
    at,
    ...change,
  };
}

async function outbox() {
  const { notifications: store, connection } = await aStore();
  const save = async (notifications: NewNotification[]) =>
    store.saveFollowed({
      from: (await store.findProgress()).seq,
      upTo: 1,
      opened: [],
      closed: [],
      messages: notifications,
      at: now(),
    });
  return { store, connection, save };
}

describe("the outbox", () => {
  test("takes one cause once for each target", async () => {
    const { store, save } = await outbox();
    const cause = "run.failed:7";
    await save([aNotification({ cause }), aNotification({ cause, target: "settings.other" })]);
    await save([aNotification({ cause })]);
    expect((await store.list({ limit: 10 })).map(({ target }) => target).sort()).toEqual([
      "settings.ops",
      "settings.other",
    ]);
  });

  test("holds so many for a target that does not answer, and counts the others", async () => {
    const { store, save } = await outbox();
    expect(await save(Array.from({ length: 1_003 }, () => aNotification()))).toBe(3);
    expect(await save([aNotification({ target: "settings.other" })])).toBe(0);
    expect(await store.findWaiting()).toBe(1_001);
  });

  test("reads by an index what waits for a target, and not the thousands that it was sent", async () => {
    const { connection } = await outbox();
    await connection.run(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 10000)
       INSERT INTO notifications (notification_id, dedup_key, target, event, content, state, created_at, ended_at)
       SELECT 'sent ' || n, n, 'settings.ops', 'run.failed', $2, 'sent', $1, $1 FROM n`,
      [now(), "x".repeat(1_500)],
    );
    // As PostgreSQL does by itself after a while; SQLite never does.
    if (POSTGRES_URL !== undefined) await connection.run("ANALYZE");
    const plans: string[] = [];
    const explained: Database = {
      ...connection,
      undone: 0,
      async first(sql, values) {
        const explain = POSTGRES_URL === undefined ? "EXPLAIN QUERY PLAN" : "EXPLAIN";
        if (sql.includes("FROM notifications"))
          plans.push(JSON.stringify(await connection.all(`${explain} ${sql}`, values)));
        return connection.first(sql, values);
      },
    };
    const followed = { from: 0, upTo: 1, opened: [], closed: [], at: now() };
    await notificationStore(explained).saveFollowed({ ...followed, messages: [aNotification()] });
    expect(plans).toEqual([expect.stringContaining("notifications_in_turn")]);
  });

  test("takes so many an hour for the targets of a definition together", async () => {
    const { save } = await outbox();
    const ofDefinition = (target: string) => aNotification({ target, ownerUid: "f" });
    const many = Array.from({ length: 125 }, (_, n) => ofDefinition(`f.${n % 3}`));
    expect(await save(many)).toBe(5);
    expect(await save([aNotification({ ownerUid: "g", target: "g.x" })])).toBe(0);
  });

  test("lets everything for a target rest that cannot be reached, also what comes later", async () => {
    const { store, save } = await outbox();
    const [first, second] = [aNotification(), aNotification()];
    await save([first, second]);
    const nextAttemptAt = new Date(Date.now() + 60_000).toISOString();
    await store.saveAttempt(
      first.id,
      { state: "waiting", error: "down", nextAttemptAt, restsUntil: nextAttemptAt, fingerprint: "f1" },
      now(),
    );
    await save([aNotification()]);
    const waiting = await store.list({ limit: 10 });
    expect(waiting.map((each) => each.nextAttemptAt)).toEqual([nextAttemptAt, nextAttemptAt, nextAttemptAt]);
    expect((await store.listStandings(["settings.ops"]))[0]).toMatchObject({
      waiting: 3,
      failures: 1,
      restsUntil: nextAttemptAt,
    });
    await store.saveAttempt(first.id, { state: "sent", note: null }, now());
    const next = (await store.findNext("settings.ops", false))?.message;
    expect(next?.id).toBe(second.id);
    expect(Date.parse(next?.nextAttemptAt ?? "")).toBeLessThanOrEqual(Date.now());
  });

  test("takes nothing for a receiver that wants no more, until it is another or a test arrives", async () => {
    const { store, save } = await outbox();
    const [first, second] = [aNotification(), aNotification()];
    await save([first, second]);
    await store.saveAttempt(first.id, { state: "failed", error: "410", gone: "f1" }, now());
    expect((await store.find(second.id))?.state).toBe("failed");
    // Nothing is lost that anybody wants: it does not count as dropped.
    expect(await save([aNotification()])).toBe(0);
    expect(await store.list({ limit: 10 })).toHaveLength(2);
    expect(await save([aNotification({ fingerprint: "f2" })])).toBe(0);
    expect(await store.list({ limit: 10 })).toHaveLength(3);
    await store.record(aNotification({ event: "test" }), { state: "sent", note: null });
    expect(await save([aNotification()])).toBe(0);
    expect(await store.list({ limit: 10 })).toHaveLength(5);
  });

  test("forgets the oldest of those that have ended, and nothing that waits", async () => {
    const { store, save } = await outbox();
    const all = Array.from({ length: 6 }, () => aNotification());
    await save(all);
    for (const [index, { id }] of all.slice(0, 5).entries())
      await store.saveAttempt(id, { state: "sent", note: null }, `2026-11-2${index}T00:00:00.000Z`);
    expect(await store.prune("2026-11-22T00:00:00.000Z", undefined, 50)).toBe(2);
    expect(await store.prune(AT.slice(0, 4), await store.findOverflow({ messages: 1, bytes: MIB }), 50)).toBe(
      2,
    );
    expect(await store.findWaiting()).toBe(1);
    expect(await store.list({ limit: 10 })).toHaveLength(2);
  });

  test("follows changes from the newest one on when somebody is to be told for the first time", async () => {
    const { store, connection } = await outbox();
    await connection.run(
      "INSERT INTO changes (kind, subject, status, at) VALUES ('factory', 'f', 'failed', $1), ('factory', 'f', 'failed', $1)",
      [AT],
    );
    expect(await store.follow()).toBe(2);
    await connection.run(
      "INSERT INTO changes (kind, subject, status, at) VALUES ('factory', 'f', 'failed', $1)",
      [AT],
    );
    expect(await store.follow()).toBe(2);
    expect(await store.findCauses(2, [], 100)).toMatchObject({
      upTo: 3,
      causes: [{ seq: 3, status: "failed" }],
    });
    await store.pass();
    expect(await store.follow()).toBe(3);
    await store.pass();
    expect(await store.findProgress()).toEqual({ seq: 3, newest: 3, isActive: false });
  });
});

test("what notifications know of a deleted factory goes with it, and of no other", async () => {
  const store = await aStore();
  const series = (uid: string) => [
    { kind: "run" as const, subject: `${uid}/agent` },
    { kind: "factory" as const, subject: "other" },
  ];
  const { uid } = await store.factories.create(aFactory("gone"));
  const { uid: kept } = await store.factories.create(aFactory("kept"));
  const at = now();
  for (const each of [uid, kept]) {
    const target = `${each}.team`;
    const notification = aNotification({ target, ownerUid: each, factoryUid: each });
    await store.notifications.saveFollowed({
      from: (await store.notifications.findProgress()).seq,
      upTo: 1,
      opened: series(each),
      closed: [],
      messages: [notification],
      at,
    });
    const gone = { state: "failed", error: "410", gone: "f1" } as const;
    await store.notifications.saveAttempt(notification.id, gone, at);
  }
  await store.factoryDeletions.remove(uid, AT);
  const left = await store.connection.all("SELECT target FROM notification_targets");
  expect(left).toEqual([{ target: `${kept}.team` }]);
  expect(await store.notifications.listSeries()).toEqual(
    expect.arrayContaining([{ kind: "run", subject: `${kept}/agent` }]),
  );
  expect(await store.notifications.listSeries()).toHaveLength(2);
  expect((await store.notifications.list({ limit: 10 })).map(({ ownerUid }) => ownerUid)).toEqual([kept]);
});

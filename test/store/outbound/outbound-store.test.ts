import { describe, expect, test } from "vitest";
import { firstUuidOf, newUuid } from "../../../src/id.ts";
import type { NewOutboundMessage } from "../../../src/messages/outbound-events.ts";
import { changeStore, recordChange } from "../../../src/store/changes/change-store.ts";
import { outboundStore } from "../../../src/store/outbox/outbound-store.ts";
import { OUTBOUND_TABLES } from "../../../src/store/outbox/outbox-tables.ts";
import type { Database, SqlValue } from "../../../src/store/sqlite/database.ts";
import { DAY_MS } from "../../../src/time/duration.ts";
import { aFactory, anEvent, anOutbox } from "../../given/factory.ts";
import { onSqlite } from "../../given/postgres.ts";
import { AT } from "../../given/store.ts";

const LATER = "2026-11-29T10:00:00.000Z";
const MUCH_LATER = "2026-11-30T10:00:00.000Z";
const A_MIB = "x".repeat(1024 * 1024);

/** An id that was made at an instant. */
const uuidOf = (instant: number) => firstUuidOf(instant).replace(/0$/, "1");

const postponed = {
  state: "waiting",
  error: "400",
  nextAttemptAt: LATER,
  restsUntil: null,
  fingerprint: "f1",
} as const;

describe("the outbox of outbound webhooks", () => {
  test("tries those in turns that wait for their target together: one that it never takes holds up no other", async () => {
    const { outbound, save } = await anOutbox();
    const [bad, good] = [anEvent(), anEvent()];
    await save([bad]);
    const refused = {
      state: "waiting",
      error: "413",
      nextAttemptAt: LATER,
      restsUntil: LATER,
      fingerprint: "f1",
    } as const;
    for (let n = 0; n < 5; n += 1) await outbound.saveAttempt(bad.id, refused, AT);
    await save([good]);
    expect((await outbound.findNext("settings.ops", false))?.message.id).toBe(good.id);
  });

  onSqlite.each([false, true])(
    "finds the next one by an index, without sorting all that wait (ordered: %s)",
    async (isOrdered) => {
      const { connection } = await anOutbox();
      const plans: string[] = [];
      const explain = async (sql: string, values?: readonly SqlValue[]) => {
        const steps = await connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values);
        if (sql.includes("outbound_messages")) plans.push(steps.map(({ detail }) => detail).join());
      };
      const explained: Database = {
        ...connection,
        undone: 0,
        async first(sql, values) {
          await explain(sql, values);
          return connection.first(sql, values);
        },
        async all(sql, values) {
          await explain(sql, values);
          return connection.all(sql, values);
        },
      };
      await outboundStore(explained).findNext("settings.ops", isOrdered);
      expect(plans.join()).toContain(`USING INDEX ${OUTBOUND_TABLES.inTurn}`);
      expect(plans.join()).not.toMatch(/TEMP B-TREE|SCAN outbound_messages/);
    },
  );

  test("sends at once what waited for its target to be reached again, and not what failed for a reason of its own", async () => {
    const { outbound, save } = await anOutbox();
    const [own, resting, untried] = [anEvent(), anEvent(), anEvent()];
    await save([own, resting, untried]);
    await outbound.saveAttempt(own.id, { ...postponed, nextAttemptAt: MUCH_LATER }, AT);
    await outbound.saveAttempt(resting.id, { ...postponed, restsUntil: LATER }, AT);
    await outbound.saveAttempt(untried.id, { state: "sent", note: null }, AT);
    const due = async (id: string) => (await outbound.find(id))?.nextAttemptAt;
    expect([await due(own.id), await due(resting.id)]).toEqual([MUCH_LATER, AT]);
    expect((await outbound.findNext("settings.ops", false))?.failures).toBe(0);
  });

  test("forgets what it knows of a receiver when another one is to get what waits", async () => {
    const { outbound, save } = await anOutbox();
    const [first, second] = [anEvent(), anEvent()];
    await save([first, second]);
    await outbound.saveAttempt(first.id, { ...postponed, restsUntil: LATER, fingerprint: "old" }, AT);
    expect(await outbound.findNext("settings.ops", false)).toMatchObject({ failures: 1, failedAs: "old" });
    await outbound.reopen("settings.ops", AT);
    expect(await outbound.findNext("settings.ops", false)).toMatchObject({ failures: 0, failedAs: null });
    const waiting = await outbound.list({ limit: 10 });
    expect(waiting.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([AT, AT]);
  });

  test("gives up what waits for 3 days, unless somebody asked for it since", async () => {
    const { outbound, save } = await anOutbox();
    const fourDaysAgo = Date.parse(AT) - 4 * DAY_MS;
    const ofThen = { id: uuidOf(fourDaysAgo), at: new Date(fourDaysAgo).toISOString() };
    const [old, asked] = [anEvent(ofThen), anEvent({ ...ofThen, id: uuidOf(fourDaysAgo + 1) })];
    const young = anEvent();
    await save([old, asked, young]);
    await outbound.sendAgain(asked.id, AT);
    const before = new Date(Date.parse(AT) - 3 * DAY_MS).toISOString();
    expect(await outbound.expire("settings.other", before, { error: "given up", at: AT })).toBe(0);
    expect(await outbound.expire("settings.ops", before, { error: "given up", at: AT })).toBe(1);
    expect(await outbound.find(old.id)).toMatchObject({
      state: "failed",
      endedAt: AT,
      lastError: "given up",
    });
    expect(await outbound.findWaiting()).toBe(2);
  });

  test("has what belongs to one run wait for what came before it, where that is asked for", async () => {
    const { outbound, save } = await anOutbox();
    const [first, second, other] = [
      anEvent({ runId: "a" }),
      anEvent({ runId: "a" }),
      anEvent({ runId: "b" }),
    ];
    await save([first, second, other]);
    await outbound.saveAttempt(first.id, postponed, AT);
    expect((await outbound.findNext("settings.ops", false))?.message.id).toBe(second.id);
    expect(await outbound.findNext("settings.ops", true)).toMatchObject({
      message: { id: other.id },
      failures: 1,
    });
    await outbound.saveAttempt(other.id, { state: "sent", note: null }, AT);
    expect((await outbound.findNext("settings.ops", true))?.message.id).toBe(first.id);
    await outbound.saveAttempt(first.id, { state: "failed", error: "given up" }, AT);
    expect((await outbound.findNext("settings.ops", true))?.message.id).toBe(second.id);
  });

  test("sends one again under its id, with its answer kept until there is another", async () => {
    const { outbound, save } = await anOutbox();
    const message = anEvent();
    await save([message]);
    const response = { status: 200, body: "ok", at: AT, ms: 3 };
    await outbound.saveAttempt(message.id, { state: "sent", note: null, response }, AT);
    expect(await outbound.sendAgain(message.id, LATER)).toBe(true);
    expect(await outbound.sendAgain(newUuid(), LATER)).toBe(false);
    expect(await outbound.find(message.id)).toMatchObject({
      state: "waiting",
      attempts: 0,
      requestedAt: LATER,
      nextAttemptAt: LATER,
      response,
    });
  });

  test("takes one event once for each target, and holds thousands for one that does not answer", async () => {
    const { outbound, save } = await anOutbox();
    const many = Array.from({ length: 10_002 }, () => anEvent());
    expect(await save(many)).toBe(2);
    expect(await save([anEvent({ target: "settings.other", cause: "one" })])).toBe(0);
    await save([anEvent({ target: "settings.other", cause: "one" })]);
    expect(await outbound.findWaiting()).toBe(10_001);
  });

  test("holds no more bytes for a target that does not answer, or of a factory in an hour, than its limits", async () => {
    const { outbound, save } = await anOutbox();
    const large = (change: Partial<NewOutboundMessage> = {}) =>
      anEvent({
        content: { type: "run.ended", timestamp: AT, factory: null, data: { text: A_MIB } },
        ...change,
      });
    expect(await save(Array.from({ length: 65 }, () => large()))).toBe(2);
    expect(await save([large()])).toBe(1);
    expect(await save([anEvent()])).toBe(0);
    const ofFactory = (n: number) => large({ target: `f.${n}`, ownerUid: "f", at: new Date().toISOString() });
    let dropped = 0;
    for (let n = 0; n < 5; n += 1) dropped += await save(Array.from({ length: 60 }, () => ofFactory(n)));
    expect(dropped).toBe(300 - 255);
    expect(await outbound.findWaiting()).toBe(63 + 1 + 255);
  });

  test("forgets the oldest of what has ended, so that no more bytes are kept than stated", async () => {
    const { outbound, save } = await anOutbox();
    const all = Array.from({ length: 5 }, () => anEvent());
    await save(all);
    for (const [index, { id }] of all.entries())
      await outbound.saveAttempt(id, { state: "sent", note: null }, `2026-11-2${index}T00:00:00.000Z`);
    const each = Buffer.byteLength(JSON.stringify(all[0]?.content));
    const kept = { messages: 10, bytes: each * 3 };
    const overflow = await outbound.findOverflow(kept);
    expect(overflow?.id).toBe(all[1]?.id);
    expect(await outbound.prune("2026-11-01", overflow, 1)).toBe(1);
    expect(await outbound.prune("2026-11-01", overflow, 100)).toBe(1);
    expect(await outbound.prune("2026-11-01", overflow, 100)).toBe(0);
    expect(await outbound.findOverflow(kept)).toBeUndefined();
    const left = (await outbound.list({ limit: 10 })).map(({ id }) => id);
    expect(left.toSorted()).toEqual(all.slice(2).map(({ id }) => id));
  });

  test("keeps changes in the log until they were read for it, while somebody is to be told", async () => {
    const { outbound, connection } = await anOutbox();
    await connection.run("UPDATE listing_progress SET seq = 1000");
    await connection.run("UPDATE delivery_search_progress SET seq = 1000");
    await outbound.follow();
    const change = {
      kind: "run",
      subject: "r",
      factoryUid: null,
      webhookUid: null,
      status: "QUEUED",
      at: AT,
    };
    for (let n = 0; n < 5; n += 1) await recordChange(connection, change as never);
    const changes = changeStore(connection);
    expect(await changes.prune(0, 100)).toBe(0);
    await outbound.saveProgress((await changes.findRange()).last - 2);
    expect(await changes.prune(0, 100)).toBe(3);
    await outbound.pass();
    expect(await changes.prune(0, 100)).toBe(2);
  });

  test("begins at the first definition that was applied after those that nobody was to be told of, or at the newest change", async () => {
    const { outbound, connection } = await anOutbox();
    const change = { subject: "s", factoryUid: null, webhookUid: null, at: AT };
    const record = async (kind: string, status = kind === "factory" ? "synced" : "QUEUED") => {
      await recordChange(connection, { ...change, kind, status } as never);
      return (await changeStore(connection).findRange()).last;
    };
    await record("factory");
    const passed = await record("run");
    expect(await outbound.follow(passed)).toBe(passed);
    await outbound.pass();
    await record("factory", "failed");
    const applied = await record("factory");
    await record("run");
    await record("factory");
    const newest = await record("run");
    expect(await outbound.follow(passed)).toBe(applied - 1);
    await outbound.pass();
    expect(await outbound.follow()).toBe(newest);
    expect(await outbound.follow(passed)).toBe(newest);
  });

  test("forgets everything of a factory that is deleted", async () => {
    const { outbound, save, connection, ...store } = await anOutbox();
    const { uid } = await store.factories.create(aFactory());
    const message = anEvent({ target: `${uid}.ops`, ownerUid: uid, factoryUid: uid });
    await save([message]);
    await outbound.saveAttempt(message.id, { ...postponed, restsUntil: LATER }, AT);
    await store.factoryDeletions.remove(uid, AT);
    expect(await outbound.list({ limit: 10 })).toEqual([]);
    expect(await connection.all("SELECT target FROM outbound_targets")).toEqual([]);
  });
});

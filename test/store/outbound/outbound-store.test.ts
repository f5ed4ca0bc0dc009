import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import type { NewOutboundMessage } from "../../../src/outbound-webhooks/outbound-event.ts";
import { changeStore, recordChange } from "../../../src/store/tables/change-store.ts";
import { aFactory } from "../../given/factory.ts";
import { onSqlite } from "../../given/postgres.ts";
import { AT, aStore } from "../../given/store.ts";

const LATER = "2026-11-29T10:00:00.000Z";

function aMessage(change: Partial<NewOutboundMessage> = {}): NewOutboundMessage {
  return {
    id: newUuid(),
    cause: newUuid(),
    target: "settings.ops",
    fingerprint: "f1",
    ownerUid: null,
    factoryUid: null,
    runId: null,
    event: "run.ended",
    content: { type: "run.ended", timestamp: AT, factory: null, data: {} },
    at: AT,
    ...change,
  };
}

async function outbox() {
  const store = await aStore();
  const { outbound } = store;
  const save = async (messages: NewOutboundMessage[]) =>
    outbound.saveFollowed({ from: (await outbound.findProgress()).seq, upTo: 1, messages, at: AT });
  return { ...store, save };
}

const postponed = { state: "waiting", error: "400", nextAttemptAt: LATER, rests: false } as const;

describe("the outbox of outbound webhooks", () => {
  test("tries those in turns that wait for their target together: one that it never takes holds up no other", async () => {
    const { outbound, save } = await outbox();
    const [bad, good] = [aMessage(), aMessage()];
    await save([bad]);
    const refused = { state: "waiting", error: "413", nextAttemptAt: LATER, rests: true } as const;
    for (let n = 0; n < 5; n += 1) await outbound.saveAttempt(bad.id, refused, AT);
    await save([good]);
    expect((await outbound.findNext("settings.ops", false))?.message.id).toBe(good.id);
  });

  onSqlite("finds the next one by an index, without sorting all that wait", async () => {
    const { connection } = await outbox();
    const steps = await connection.all<{ detail: string }>(
      `EXPLAIN QUERY PLAN SELECT content FROM outbound_messages WHERE target = $1 AND state = 'waiting'
       ORDER BY next_attempt_at, attempts, message_id LIMIT 1`,
      ["settings.ops"],
    );
    const plan = steps.map(({ detail }) => detail).join();
    expect(plan).toContain("USING INDEX outbound_messages_waiting");
    expect(plan).not.toContain("TEMP B-TREE");
  });

  test("has what belongs to one run wait for what came before it, where that is asked for", async () => {
    const { outbound, save } = await outbox();
    const [first, second, other] = [
      aMessage({ runId: "a" }),
      aMessage({ runId: "a" }),
      aMessage({ runId: "b" }),
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
    const { outbound, save } = await outbox();
    const message = aMessage();
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
    const { outbound, save } = await outbox();
    const many = Array.from({ length: 10_002 }, () => aMessage());
    expect(await save(many)).toBe(2);
    expect(await save([aMessage({ target: "settings.other", cause: "one" })])).toBe(0);
    await save([aMessage({ target: "settings.other", cause: "one" })]);
    expect(await outbound.findWaiting()).toBe(10_001);
  });

  test("keeps changes in the log until they were read for it, while somebody is to be told", async () => {
    const { outbound, connection } = await outbox();
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

  test("forgets everything of a factory that is deleted", async () => {
    const { outbound, save, connection, ...store } = await outbox();
    const { uid } = await store.factories.create(aFactory());
    const message = aMessage({ target: `${uid}.ops`, ownerUid: uid, factoryUid: uid });
    await save([message]);
    await outbound.saveAttempt(message.id, { ...postponed, rests: true }, AT);
    await store.factoryDeletions.remove(uid, AT);
    expect(await outbound.list({ limit: 10 })).toEqual([]);
    expect(await connection.all("SELECT target FROM outbound_targets")).toEqual([]);
  });
});

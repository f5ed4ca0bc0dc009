import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { OUTBOUND_TABLES } from "../../../src/store/outbox/outbox-tables.ts";
import { DAY_MS } from "../../../src/time/duration.ts";
import { anEvent, anOutbox } from "../../given/factory.ts";
import { AT, LATER } from "../../given/store.ts";

const OF_FACTORY = { ownerUid: "f", target: "f.ops" };
const UNREACHABLE = {
  state: "waiting",
  error: "the receiver answered 503",
  nextAttemptAt: LATER,
  restsUntil: LATER,
  fingerprint: "f1",
} as const;

describe("an outbox of outbound webhooks", () => {
  test("counts what a factory sends in an hour by the time, also when ids are ahead of a clock that was set back", async () => {
    const { save } = await anOutbox();
    const most = OUTBOUND_TABLES.limits.perHour.messages;
    const ofAnHour = (at: number, count: number) =>
      Array.from({ length: count }, (_, n) =>
        anEvent({ ...OF_FACTORY, target: `f.${n % 5}`, id: newUuid(), at: new Date(at).toISOString() }),
      );
    const now = Date.parse(AT);
    expect(await save(ofAnHour(now + DAY_MS, most))).toBe(0);
    expect(await save(ofAnHour(now, 100))).toBe(0);
  });

  test("lists without reading what was sent, and says when what rests with its receiver is tried", async () => {
    const { outbound, save } = await anOutbox();
    const [first, second] = [anEvent(), anEvent()];
    await save([first, second]);
    await outbound.saveAttempt(first.id, UNREACHABLE, AT);
    const heads = await outbound.listHeads({ limit: 10 });
    expect(heads.map(({ id, nextAttemptAt }) => [id, nextAttemptAt])).toEqual([
      [second.id, LATER],
      [first.id, LATER],
    ]);
    for (const head of heads) expect(head).not.toHaveProperty("content");
  });

  test("says how its receiver has failed, although the newest event was not tried", async () => {
    const { outbound, save } = await anOutbox();
    const [first, second] = [anEvent(), anEvent()];
    await save([first, second]);
    await outbound.saveAttempt(first.id, UNREACHABLE, AT);
    const standing = async () => (await outbound.listStandings([first.target]))[0];
    expect(await standing()).toMatchObject({ failedBy: UNREACHABLE.error, last: { lastError: null } });
    await outbound.saveAttempt(second.id, { state: "sent", note: null }, AT);
    expect(await standing()).toMatchObject({ failedBy: null, failures: 0 });
  });

  test("writes down once that everything for a receiver rests, however much that is", async () => {
    const { outbound, save, connection } = await anOutbox();
    const all = Array.from({ length: 20 }, () => anEvent());
    await save(all);
    await outbound.saveAttempt(all[0]?.id ?? "", UNREACHABLE, AT);
    const written = await connection.all(
      "SELECT message_id FROM outbound_messages WHERE next_attempt_at <> $1",
      [AT],
    );
    expect(written).toEqual([]);
    expect((await outbound.findNext("settings.ops", false))?.message.nextAttemptAt).toBe(LATER);
  });

  test("forgets exactly what is more than what is kept, also where thousands ended in one instant", async () => {
    const { outbound, save } = await anOutbox();
    const all = Array.from({ length: 12 }, () => anEvent());
    await save(all);
    await outbound.saveAttempt(all[0]?.id ?? "", { state: "failed", error: "410", gone: "f1" }, AT);
    const keep = { messages: 5, bytes: 1024 * 1024 };
    expect(await outbound.prune("2026-11-01", await outbound.findOverflow(keep), 100)).toBe(7);
    expect(await outbound.prune("2026-11-01", await outbound.findOverflow(keep), 100)).toBe(0);
    const bytes = Buffer.byteLength(JSON.stringify(all[0]?.content)) * 2;
    expect(await outbound.prune("2026-11-01", await outbound.findOverflow({ ...keep, bytes }), 100)).toBe(3);
    expect(await outbound.list({ limit: 10 })).toHaveLength(2);
  });
});

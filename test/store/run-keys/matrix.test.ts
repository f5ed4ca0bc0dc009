import { describe, expect, test } from "vitest";
import { keyedStore } from "../../given/keyed-runs.ts";

describe("whileRunning: queue", () => {
  test("starts the runs of a key one after the other, in their order", async () => {
    const { deliver, start, finish } = await keyedStore({ policy: "queue" });
    const [a, b, c] = [await deliver(), await deliver(), await deliver()];
    expect([a.isHeld, b.isHeld, c.isHeld]).toEqual([false, true, true]);
    expect(await start()).toEqual([a.runId]);
    expect(await start()).toEqual([]);
    await finish(a.runId);
    expect(await start()).toEqual([b.runId]);
    await finish(b.runId);
    expect(await start()).toEqual([c.runId]);
  });

  test("lets runs of other keys pass, and those without a key", async () => {
    const { deliver, start } = await keyedStore({ policy: "queue" });
    const a = await deliver();
    await deliver();
    const [other, none, again] = [
      await deliver({ key: "o" }),
      await deliver({ key: null }),
      await deliver({ key: null }),
    ];
    expect(await start()).toEqual([a.runId, other.runId, none.runId, again.runId]);
  });

  test.each(["blocked", "resting", "parent", "running"] as const)(
    "waits for a run that is %s",
    async (column) => {
      const { deliver, start, standing } = await keyedStore({ policy: "queue" });
      await standing(column);
      const waiting = await deliver();
      expect(waiting).toMatchObject({ kind: "started", isHeld: true });
      expect(await start()).not.toContain(waiting.runId);
    },
  );

  test("starts the next run when one is cancelled or dismissed", async () => {
    const { deliver, start, runs, standing, dismiss } = await keyedStore({ policy: "queue" });
    const blocked = await standing("resting");
    const [b, c] = [await deliver(), await deliver()];
    await dismiss(blocked);
    await runs.cancel(b.runId, new Date().toISOString());
    expect(await start()).toEqual([c.runId]);
  });
});

describe("whileRunning: join", () => {
  test("makes one run of what comes while another one of the key is at work", async () => {
    const { deliver, start, finish, runs } = await keyedStore({ policy: "join" });
    const a = await deliver();
    await start();
    const [b, c, d] = [await deliver(), await deliver(), await deliver()];
    expect([b.kind, c.kind, d.kind]).toEqual(["started", "joined", "joined"]);
    expect(new Set([b.runId, c.runId, d.runId]).size).toBe(1);
    expect(await start()).toEqual([]);
    await finish(a.runId);
    expect(await start()).toEqual([b.runId]);
    expect(await runs.find(b.runId)).toMatchObject({
      deliveryId: d.id,
      prompt: `Act on ${d.id}`,
      title: "Run 4",
    });
    const listed = await runs.listRunDeliveries(b.runId, { after: 0, limit: 10 });
    expect(listed.map(({ deliveryId }) => deliveryId)).toEqual([b.id, c.id, d.id]);
  });

  test("gives a run the newest body, and those of all in their order", async () => {
    const { deliver, runs } = await keyedStore({ policy: "join" });
    const given = [await deliver(), await deliver(), await deliver()];
    const runId = given[0]?.runId ?? "";
    const names = (await runs.listAttachments(runId)).map(({ name }) => name);
    expect(names).toEqual([
      "event-payload.json",
      ...given.map(({ id }, n) => `event-payloads/00000${n + 1}-${id}.json`),
    ]);
    const bodies = [];
    for (const name of names)
      bodies.push(String(Buffer.from((await runs.findAttachment(runId, name))?.content ?? [])));
    expect(bodies).toEqual(['{"n":2}', '{"n":0}', '{"n":1}', '{"n":2}']);
  });

  test.each(["blocked", "resting", "parent"] as const)("waits beside a run that is %s", async (column) => {
    const { deliver, start, standing } = await keyedStore({ policy: "join" });
    await standing(column);
    const [b, c] = [await deliver(), await deliver()];
    expect([b.isHeld, c.kind, c.runId]).toEqual([true, "joined", b.runId]);
    expect(await start()).not.toContain(b.runId);
  });

  test("begins another run after 500 deliveries", async () => {
    const { deliver } = await keyedStore({ policy: "join" });
    const first = await deliver();
    for (let n = 1; n < 500; n += 1) expect((await deliver()).runId).toBe(first.runId);
    const next = await deliver();
    expect(next).toMatchObject({ kind: "started", isHeld: true });
    expect(next.runId).not.toBe(first.runId);
  });

  test("begins another run after 64 MiB", async () => {
    const { deliver } = await keyedStore({ policy: "join" });
    const body = JSON.stringify("x".repeat(262_142));
    const ids = new Set<string>();
    for (let n = 0; n < 257; n += 1) ids.add((await deliver({ body })).runId);
    expect(ids.size).toBe(2);
  });
});

describe("whileRunning: replace", () => {
  test("never starts a run that waits", async () => {
    const { deliver, start, stateOf } = await keyedStore({ policy: "replace" });
    const [a, b] = [await deliver(), await deliver()];
    expect([a.kind, b.kind, b.isHeld]).toEqual(["started", "replaced", false]);
    expect(await stateOf(a.runId)).toBe("CANCELLED");
    expect(await start()).toEqual([b.runId]);
  });

  test("asks for the end of a run that is at work, and starts after it", async () => {
    const { deliver, start, finish, stateOf } = await keyedStore({ policy: "replace" });
    const a = await deliver();
    await start();
    const b = await deliver();
    expect(b).toMatchObject({ kind: "replaced", isHeld: true });
    expect(b.effects?.ended).toMatchObject([{ run: { id: a.runId, isLeased: true }, state: "INPROGRESS" }]);
    expect(await start()).toEqual([]);
    await finish(a.runId);
    expect(await stateOf(a.runId)).toBe("CANCELLED");
    expect(await start()).toEqual([b.runId]);
  });

  test("keeps only the newest of those that wait for the end of one", async () => {
    const { deliver, start, finish, stateOf } = await keyedStore({ policy: "replace" });
    const a = await deliver();
    await start();
    const [b, c] = [await deliver(), await deliver()];
    await finish(a.runId);
    expect(await start()).toEqual([c.runId]);
    expect(await stateOf(b.runId)).toBe("CANCELLED");
  });

  test("dismisses a run that is blocked and whose agent has ended", async () => {
    const { deliver, start, standing, runs } = await keyedStore({ policy: "replace" });
    const a = await standing("resting");
    const b = await deliver();
    const dismissed = await runs.find(a);
    expect(dismissed?.state).toBe("CANCELLED");
    expect(dismissed?.statusMessage?.message).toBe(`Dismissed by the delivery ${b.id}: it replaces this run`);
    expect(await start()).toEqual([b.runId]);
  });

  test("asks for the end of a blocked run whose agent is alive", async () => {
    const { deliver, start, standing, finish, stateOf } = await keyedStore({ policy: "replace" });
    const a = await standing("blocked");
    const b = await deliver();
    expect(await start()).toEqual([]);
    await finish(a);
    expect(await stateOf(a)).toBe("CANCELLED");
    expect(await start()).toEqual([b.runId]);
  });

  test("cancels a run that waits for others, together with these", async () => {
    const { deliver, start, standing, stateOf, runs } = await keyedStore({ policy: "replace" });
    const a = await standing("parent");
    const [child = ""] = (await runs.find(a))?.waitingFor ?? [];
    const b = await deliver();
    expect([await stateOf(a), await stateOf(child)]).toEqual(["CANCELLED", "CANCELLED"]);
    expect((await runs.listDispositions(b.id))[0]?.replaced).toEqual([a]);
    expect(await start()).toEqual([b.runId]);
  });
});

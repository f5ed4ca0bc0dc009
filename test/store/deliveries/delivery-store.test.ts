import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { aStoreOf, recordDelivery } from "../../given/factory.ts";
import { AT, aDelivery, aQuery, aRun } from "../../given/store.ts";

/** Whose deliveries the builder makes. */
const WEBHOOK = { factoryUid: "factory", uid: "webhook" };

describe("deliveries", () => {
  test("are recorded once for each identity; the second is a duplicate of the first", async () => {
    const { deliveries, runs } = await aStoreOf("factory");
    const first = aDelivery({ runs: [aRun({ source: "CUSTOM_WEBHOOK" })] });
    expect(await deliveries.record(first)).toEqual({ outcome: "Accepted", deliveryId: first.id });
    const second = aDelivery({
      identityKey: first.identityKey,
      bodyHash: Buffer.from("other"),
      runs: [aRun()],
    });
    expect(await deliveries.record(second)).toEqual({ outcome: "Duplicate", deliveryId: first.id });
    expect(await deliveries.find(second.id)).toMatchObject({
      outcome: "Duplicate",
      duplicateOf: first.id,
      bodyDiffers: true,
    });
    expect(await deliveries.findPayload(second.id)).toBeUndefined();
    expect((await runs.list(aQuery())).runs).toHaveLength(1);
  });

  test("come with their runs or not at all", async () => {
    const { deliveries, runs } = await aStoreOf("factory");
    const run = aRun();
    const delivery = aDelivery({ runs: [run, run] });
    await expect(deliveries.record(delivery)).rejects.toThrow(/UNIQUE|unique/);
    expect(await deliveries.find(delivery.id)).toBeUndefined();
    expect(await runs.find(run.id)).toBeUndefined();
    expect(await deliveries.record({ ...delivery, runs: [run] })).toMatchObject({ outcome: "Accepted" });
  });

  test("of a webhook are listed newest first, page by page", async () => {
    const store = await aStoreOf("factory");
    const { deliveries } = store;
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await recordDelivery(store, aDelivery())).deliveryId);
    await deliveries.record(aDelivery({ webhookUid: "other" }));
    const first = await deliveries.listByWebhook(WEBHOOK, { limit: 3 });
    const second = await deliveries.listByWebhook(WEBHOOK, { limit: 3, before: first.at(-1)?.id ?? "" });
    expect([...first, ...second].map(({ id }) => id)).toEqual(ids);
  });

  test("that are refused store metadata only", async () => {
    const { deliveries } = await aStoreOf("factory");
    const refusal = {
      id: newUuid(),
      factoryUid: "f",
      webhookUid: "w",
      time: AT,
      outcome: "Rejected (auth)" as const,
      size: 9,
      reason: "why",
      sender: null,
    };
    await deliveries.recordRefusal(refusal);
    expect(await deliveries.find(refusal.id)).toMatchObject({
      outcome: "Rejected (auth)",
      size: 9,
      reason: "why",
      identity: null,
    });
  });

  test("give their bodies in bulk, newest first, on pages that are bounded by bytes; refused ones have none", async () => {
    const store = await aStoreOf("factory");
    const { deliveries } = store;
    const half = Buffer.alloc(600_000, "x");
    const bodies = [Buffer.from("1"), half, half, Buffer.from("22")];
    const ids: string[] = [];
    for (const [n, payload] of bodies.entries())
      ids.push((await recordDelivery(store, aDelivery({ payload, event: `e${n}` }))).deliveryId);
    await deliveries.record(aDelivery({ webhookUid: "other" }));
    const since = new Date(Date.now() - 60_000).toISOString();
    const pages = [await deliveries.listBodies(WEBHOOK, { since })];
    for (let last = pages[0]; last && last.deliveries.length > 0; last = pages.at(-1)) {
      pages.push(await deliveries.listBodies(WEBHOOK, { since, before: last.deliveries.at(-1)?.id ?? "" }));
    }
    expect(pages.map((page) => page.deliveries.map(({ event, size }) => [event, size]))).toEqual([
      [
        ["e3", 2],
        ["e2", 600_000],
      ],
      [
        ["e1", 600_000],
        ["e0", 1],
      ],
      [],
    ]);
    expect(pages.flatMap((page) => page.deliveries.map(({ id }) => id))).toEqual(ids.reverse());
    const given = Buffer.concat(pages.map((page) => page.bodies));
    expect(given.equals(Buffer.concat(bodies.reverse()))).toBe(true);
    const later = new Date(Date.now() + 60_000).toISOString();
    expect((await deliveries.listBodies(WEBHOOK, { since: later })).deliveries).toEqual([]);
  });
});

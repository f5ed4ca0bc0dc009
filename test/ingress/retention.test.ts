import { expect, test } from "vitest";
import { firstUuidOf } from "../../src/id.ts";
import { pruneDeliveries, type RetentionDeps } from "../../src/ingress/delivery.ts";
import { EVENT_PAYLOAD } from "../../src/runs/rules/workspace-names.ts";
import { aStoreOf } from "../given/factory.ts";
import { aDelivery, aRun } from "../given/store.ts";

const DAY_MS = 86_400_000;
const NOW = new Date("2026-11-21T12:00:00.000Z");
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS).toISOString();

type Store = Awaited<ReturnType<typeof aStoreOf>>;

const prune = (store: Store, changes: Partial<RetentionDeps> = {}) =>
  pruneDeliveries({
    store: store.deliveries,
    keepMs: 7 * DAY_MS,
    now: () => NOW,
    ...changes,
  });

let serial = 0;
/** Ids rise with time, as those of the server do. */
function deliveryOf(webhookUid: string, days: number, changes: Parameters<typeof aDelivery>[0] = {}) {
  serial += 1;
  const id = firstUuidOf(Date.parse(daysAgo(days))).replace(/0{12}$/, String(serial).padStart(12, "0"));
  return aDelivery({ id, webhookUid, time: daysAgo(days), identityKey: Buffer.from(id), ...changes });
}

async function logOf(store: Store, webhookUid: string) {
  return store.deliveries.listByWebhook({ factoryUid: "factory", uid: webhookUid }, { limit: 10_000 });
}

test("a delivery stays while it is newer than a week or among the newest 50 of its webhook", async () => {
  const store = await aStoreOf("factory");
  for (let n = 0; n < 700; n += 1) await store.deliveries.record(deliveryOf("busy", n < 640 ? 8 : 6));
  for (let n = 0; n < 60; n += 1) await store.deliveries.record(deliveryOf("quiet", 90));
  await store.deliveries.record(deliveryOf("rare", 300));
  await prune(store);
  const busy = await logOf(store, "busy");
  expect(busy).toHaveLength(60);
  expect(busy.every(({ time }) => time === daysAgo(6))).toBe(true);
  expect(await logOf(store, "quiet")).toHaveLength(50);
  expect(await logOf(store, "rare")).toHaveLength(1);
});

test("refusals leave the log in the same way, and the log can be retained for longer", async () => {
  const store = await aStoreOf("factory");
  for (let n = 0; n < 100; n += 1) {
    const { id, factoryUid, webhookUid, time } = deliveryOf("hook", 10);
    await store.deliveries.recordRefusal({
      id,
      factoryUid,
      webhookUid,
      time,
      outcome: "Rejected (auth)",
      size: 1,
      reason: "x",
      sender: null,
    });
  }
  await prune(store, { keepMs: 30 * DAY_MS });
  expect(await logOf(store, "hook")).toHaveLength(100);
  await prune(store);
  expect(await logOf(store, "hook")).toHaveLength(50);
});

test("an identity is remembered for 30 days, when its delivery has long left the log", async () => {
  const store = await aStoreOf("factory");
  const old = deliveryOf("hook", 29);
  const forgotten = deliveryOf("hook", 31);
  await store.deliveries.record(forgotten);
  await store.deliveries.record(old);
  for (let n = 0; n < 50; n += 1) await store.deliveries.record(deliveryOf("hook", 1));
  await prune(store);
  expect(await store.deliveries.find(old.id)).toBeUndefined();
  const again = (first: typeof old) =>
    store.deliveries.record({ ...deliveryOf("hook", 0), identityKey: first.identityKey });
  expect(await again(old)).toEqual({ outcome: "Duplicate", deliveryId: old.id });
  expect(await again(forgotten)).toMatchObject({ outcome: "Accepted" });
});

test("an identity whose delivery is still in the log is not forgotten, however old it is", async () => {
  const store = await aStoreOf("factory");
  const first = deliveryOf("quiet", 400);
  await store.deliveries.record(first);
  await prune(store);
  expect(
    await store.deliveries.record({ ...deliveryOf("quiet", 0), identityKey: first.identityKey }),
  ).toMatchObject({
    outcome: "Duplicate",
  });
});

test("a run keeps the body that it was given when its delivery leaves the log", async () => {
  const store = await aStoreOf("factory");
  const run = aRun({
    attachments: [{ name: EVENT_PAYLOAD, mimeType: "application/json", deliveryBody: true }],
  });
  const payload = Buffer.from('{"kept":"byte for byte"}');
  const old = deliveryOf("hook", 8, { payload, runs: [run] });
  await store.deliveries.record(old);
  for (let n = 0; n < 50; n += 1) await store.deliveries.record(deliveryOf("hook", 1));
  await prune(store);
  expect(await store.deliveries.find(old.id)).toBeUndefined();
  const kept = await store.runs.findAttachment(run.id, EVENT_PAYLOAD);
  expect(Buffer.from(kept?.content ?? [])).toEqual(payload);
});

test("a delivery that comes while the log is pruned waits for a batch of it and not for the rest", async () => {
  const store = await aStoreOf("factory");
  for (let n = 0; n < 600; n += 1) await store.deliveries.record(deliveryOf("hook", 8));
  const order: string[] = [];
  await Promise.all([
    prune(store).then(() => order.push("pruned")),
    store.deliveries.record(deliveryOf("other", 0)).then(() => order.push("recorded")),
  ]);
  expect(order).toEqual(["recorded", "pruned"]);
  expect(await logOf(store, "hook")).toHaveLength(50);
});

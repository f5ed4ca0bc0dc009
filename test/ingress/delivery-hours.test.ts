import { expect, test } from "vitest";
import { firstUuidOf } from "../../src/id.ts";
import { deliveryHours } from "../../src/ingress/delivery-hours.ts";
import { hourlyDeliveries } from "../../src/store/deliveries/delivery-store.ts";
import type { Database } from "../../src/store/sqlite/database.ts";
import { aStoreOf } from "../given/factory.ts";
import { onSqlite } from "../given/postgres.ts";
import { aDelivery } from "../given/store.ts";

const HOUR_MS = 3_600_000;
const NOW = new Date("2026-11-21T10:30:00.000Z");
const PRESENT = Date.parse("2026-11-21T10:00:00.000Z");
const CI = { factoryUid: "factory", uid: "webhook" };

async function hoursStore() {
  const { deliveries, connection } = await aStoreOf("factory", "another");
  let seconds = 0;
  const accept = (hour: number, changes: Parameters<typeof aDelivery>[0] = {}) => {
    seconds += 1;
    const id = firstUuidOf(hour + seconds * 1_000);
    const time = new Date(hour + seconds * 1_000).toISOString();
    return deliveries.record(aDelivery({ id, time, identityKey: Buffer.from(id), ...changes }));
  };
  const refuse = (hour: number) => {
    seconds += 1;
    const id = firstUuidOf(hour + seconds * 1_000);
    const time = new Date(hour + seconds * 1_000).toISOString();
    const of = { factoryUid: "factory", webhookUid: "webhook", sender: null };
    return deliveries.recordRefusal({
      ...of,
      id,
      time,
      outcome: "Rejected (auth)",
      size: 1,
      reason: "wrong",
    });
  };
  return { deliveries, connection, accept, refuse };
}

test("deliveries of a webhook are counted by the hour and by how they ended", async () => {
  const { deliveries, accept, refuse } = await hoursStore();
  await accept(PRESENT);
  await accept(PRESENT - 23 * HOUR_MS, { identityKey: Buffer.from("same") });
  await accept(PRESENT - 23 * HOUR_MS, { identityKey: Buffer.from("same") });
  await refuse(PRESENT - HOUR_MS);
  await accept(PRESENT - 24 * HOUR_MS);
  await accept(PRESENT, { factoryUid: "another" });
  await accept(PRESENT, { webhookUid: "another" });
  const counts = (await deliveryHours(deliveries, () => NOW)([CI])).get("webhook");
  expect(counts).toHaveLength(24);
  const nothing = { accepted: 0, duplicates: 0, rejected: 0 };
  expect(counts?.at(0)).toMatchObject({ ...nothing, accepted: 1, duplicates: 1 });
  expect(counts?.at(-2)).toMatchObject({ ...nothing, rejected: 1 });
  expect(counts?.at(-1)).toMatchObject({ ...nothing, accepted: 1 });
  expect(counts?.slice(1, -2)).toEqual(Array(21).fill(nothing));
});

test("an hour that is over is counted once for each webhook", async () => {
  const { deliveries, accept } = await hoursStore();
  await accept(PRESENT - HOUR_MS);
  const asked: [hour: number, webhooks: number][] = [];
  const hoursOf = deliveryHours(
    {
      listHourlyDeliveries(webhooks, hour) {
        asked.push([hour, webhooks.length]);
        return deliveries.listHourlyDeliveries(webhooks, hour);
      },
    },
    () => NOW,
  );
  const first = await hoursOf([CI]);
  expect(asked).toHaveLength(24);
  asked.length = 0;
  expect(await hoursOf([CI])).toEqual(first);
  expect(asked).toEqual([[PRESENT, 1]]);
  asked.length = 0;
  await hoursOf([CI, { ...CI, uid: "another" }]);
  expect(asked).toHaveLength(24);
  expect(asked.filter(([, webhooks]) => webhooks === 2)).toEqual([[PRESENT, 2]]);
});

onSqlite("the counts of an hour are read from indexes alone", async () => {
  const { connection } = await hoursStore();
  const steps: string[] = [];
  const explained: Database = {
    ...connection,
    undone: 0,
    async all(sql, values) {
      const plan = await connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values);
      steps.push(...plan.map(({ detail }) => detail).filter((detail) => detail.includes("deliveries")));
      return connection.all(sql, values);
    },
  };
  await hourlyDeliveries(explained).listHourlyDeliveries([CI], PRESENT);
  expect(steps).toEqual([
    expect.stringContaining(
      "SEARCH deliveries USING COVERING INDEX deliveries_of_webhook (webhook_uid=? AND delivery_id>?",
    ),
    expect.stringContaining(
      "SEARCH deliveries USING COVERING INDEX deliveries_not_accepted (outcome=? AND delivery_id>?",
    ),
  ]);
});

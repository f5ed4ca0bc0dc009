import { expect, test } from "vitest";
import { pruneDeliveries } from "../../../src/ingress/delivery.ts";
import { aFactory, aStoreOf } from "../../given/factory.ts";
import { AT, aDelivery } from "../../given/store.ts";

const DAY_MS = 86_400_000;
const told = (number: number, time: string, factoryUid = "factory") =>
  aDelivery({ time, factoryUid, pullRequest: { repository: "acme/shop", number, author: "ann" } });

test("who opened a pull request is forgotten when no delivery has mentioned it for 180 days", async () => {
  const { deliveries } = await aStoreOf("factory");
  const daysBefore = (days: number) => new Date(Date.parse(AT) - days * DAY_MS).toISOString();
  for (const [number, days] of [
    [1, 181],
    [2, 179],
    [3, 300],
    [3, 10],
  ] as const)
    await deliveries.record(told(number, daysBefore(days)));
  await pruneDeliveries({ store: deliveries, keepMs: 7 * DAY_MS, now: () => new Date(AT) });
  const left = await deliveries.listAuthors("factory");
  expect(left.map(({ number }) => number)).toEqual([2, 3]);
});

test("who opened a pull request is deleted with the factory that received it", async () => {
  const { deliveries, factories, factoryDeletions } = await aStoreOf("kept");
  const { uid } = await factories.create(aFactory("gone"));
  for (const each of [uid, "kept"]) await deliveries.record(told(1, AT, each));
  await factoryDeletions.remove(uid, AT);
  expect(await deliveries.listAuthors(uid)).toEqual([]);
  expect(await deliveries.listAuthors("kept")).toHaveLength(1);
});

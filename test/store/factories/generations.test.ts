import { describe, expect, test } from "vitest";
import { commitTogether } from "../../../src/store/group-commit.ts";
import { createPorts } from "../../../src/store/store.ts";
import { aFactory, anApplication, applyTo, aStoreOf } from "../../given/factory.ts";
import { aDelivery, aRun, aStore, LATER } from "../../given/store.ts";

/** A store with a factory that has something applied, and how its numbers have changed by something. */
async function applied() {
  const store = await aStore();
  const { uid } = await store.factories.create(aFactory());
  await applyTo(store.factories, uid, anApplication("r1"));
  const generation = async () => (await store.factories.findDefinition(uid))?.generation;
  return { store, uid, generation, before: await generation() };
}
type Given = Awaited<ReturnType<typeof applied>>;

describe("the generation of a factory rises in the transaction", () => {
  test.each<[string, (given: Given, expects: number) => Promise<unknown>]>([
    [
      "that applies a definition",
      ({ store, uid }, expects) => store.factories.apply(uid, anApplication("r2", { expects })),
    ],
    [
      "that gives its webhooks other credentials",
      ({ store, uid }, expects) =>
        store.factories.retakeCredentials(uid, { credentials: [], expects, at: LATER }),
    ],
    [
      "that gives a webhook another UID",
      ({ store, uid }, expects) =>
        store.factories.adoptUid(uid, {
          ...{ uid: "now", formerUid: "before", credential: undefined },
          ...{ expects, at: LATER },
        }),
    ],
  ])("%s, and the same is refused once more", async (_, change) => {
    const given = await applied();
    const { store, generation, before = 0 } = given;
    const latest = await store.factories.findLatestGeneration();
    expect(await change(given, before)).not.toBe("moved");
    const after = (await generation()) ?? 0;
    expect(after).toBeGreaterThan(latest);
    expect(await store.factories.findLatestGeneration()).toBe(after);
    expect(await change(given, before)).toBe("moved");
    expect(await generation()).toBe(after);
  });
});

describe("every server sees that something has changed", () => {
  test.each<[string, (given: Given) => Promise<unknown>]>([
    ["when a factory is made", ({ store }) => store.factories.create(aFactory("another"))],
    ["when a factory is deleted", ({ store, uid }) => store.factoryDeletions.remove(uid, LATER)],
    ["when it is suspended", ({ store, uid }) => store.factories.suspend(uid, LATER)],
    ["when its status is another", ({ store, uid }) => store.factories.recordUnreadable(uid, [])],
    ["when its source has another name", ({ store, uid }) => store.factories.moveSource(uid, "elsewhere")],
  ])("%s", async (_, change) => {
    const given = await applied();
    const before = await given.store.factories.findLatestGeneration();
    await change(given);
    expect(await given.store.factories.findLatestGeneration()).toBeGreaterThan(before);
  });

  test("and nothing when a pass finds everything as it was", async () => {
    const { store, uid } = await applied();
    const before = await store.factories.findLatestGeneration();
    await store.factories.recordSynced(uid, []);
    await store.factories.moveSource(uid, aFactory().sourceKey);
    expect(await store.factories.findLatestGeneration()).toBe(before);
  });
});

describe("a delivery that was matched under another generation", () => {
  test("leaves nothing behind: no identity, no run, no use of its idempotency key", async () => {
    const { store, uid, before = 0 } = await applied();
    const once = { principalUid: "ann", key: "key", requestHash: "hash" };
    const run = aRun();
    const delivery = aDelivery({ factoryUid: uid, generation: before, runs: [run], once });
    await applyTo(store.factories, uid, anApplication("r2"));
    expect(await store.deliveries.record(delivery)).toEqual({ outcome: "Outdated" });
    expect(await store.deliveries.find(delivery.id)).toBeUndefined();
    expect(await store.runs.find(run.id)).toBeUndefined();
    const { generation = 0 } = (await store.factories.findDefinition(uid)) ?? {};
    const again = { ...delivery, generation };
    expect(await store.deliveries.record(again)).toEqual({ outcome: "Accepted", deliveryId: delivery.id });
  });

  test("is no duplicate either", async () => {
    const { store, uid, before = 0 } = await applied();
    const delivery = aDelivery({ factoryUid: uid, generation: before });
    await store.deliveries.record(delivery);
    await applyTo(store.factories, uid, anApplication("r2"));
    const again = aDelivery({ ...delivery, id: "again" });
    expect(await store.deliveries.record(again)).toEqual({ outcome: "Outdated" });
    expect(await store.deliveries.find("again")).toBeUndefined();
  });

  test("is refused also where the change and the delivery share one transaction", async () => {
    const { connection } = await aStoreOf("factory");
    const application = { ...anApplication("r1"), expects: 0 };
    const [, recorded] = await commitTogether(connection, createPorts(connection), [
      { port: "factories", method: "apply", args: ["factory", application] },
      { port: "deliveries", method: "record", args: [aDelivery({ generation: 0 })] },
    ]);
    expect(recorded).toEqual({ value: { outcome: "Outdated" } });
  });
});

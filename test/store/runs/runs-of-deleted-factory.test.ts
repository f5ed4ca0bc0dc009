import { describe, expect, test } from "vitest";
import { aFactory } from "../../given/factory.ts";
import { AT, aDelivery, aRun, aStore, LATER, LEASE } from "../../given/store.ts";

/** A store that has just forgotten a factory, and a run that was prepared for it before. */
async function afterDeletion() {
  const store = await aStore();
  const { uid } = await store.factories.create(aFactory("gone"));
  const run = aRun({ factoryUid: uid });
  await store.factoryDeletions.remove(uid, AT);
  return { store, uid, run };
}

describe("a run that was prepared before its factory was deleted never starts, and is reported as cancelled,", () => {
  test("when a schedule fires it", async () => {
    const { store, run } = await afterDeletion();
    const firing = { key: "k", dueAt: AT, schedule: null, result: { run } };
    expect(await store.schedules.fire(firing, LATER)).toBe("fired");
    expect(await store.runs.find(run.id)).toMatchObject({ state: "CANCELLED" });
    expect(await store.runs.claim(10, LEASE, LATER)).toEqual([]);
  });

  test("when it is requested", async () => {
    const { store, run } = await afterDeletion();
    expect(await store.runs.create(run, LATER)).toMatchObject({ state: "CANCELLED", finishedAt: LATER });
    const events = await store.runs.listEvents(run.id, { limit: 10 });
    expect(events.map(({ type }) => type)).toEqual(["oz_run_created", "oz_run_cancelled"]);
    expect(await store.runs.claim(10, LEASE, LATER)).toEqual([]);
  });
});

test("a delivery that was matched before its factory was deleted is not recorded, and starts no run", async () => {
  const { store, uid, run } = await afterDeletion();
  const delivery = aDelivery({ factoryUid: uid, runs: [run] });
  expect(await store.deliveries.record(delivery)).toEqual({ outcome: "Outdated" });
  expect(await store.deliveries.find(delivery.id)).toBeUndefined();
  expect(await store.runs.find(run.id)).toBeUndefined();
});

test("runs of an existing factory, and of none, wait as before", async () => {
  const store = await aStore();
  const { uid } = await store.factories.create(aFactory("here"));
  for (const factoryUid of [uid, null])
    expect(await store.runs.create(aRun({ factoryUid }), AT)).toMatchObject({ state: "QUEUED" });
});

test("a deletion lists the runs that waited, so that no room is reserved for them", async () => {
  const store = await aStore();
  const { uid } = await store.factories.create(aFactory("here"));
  const { id } = await store.runs.create(aRun({ factoryUid: uid }), AT);
  expect(await store.factoryDeletions.remove(uid, LATER)).toEqual({ runs: [id] });
});

import { describe, expect, test, vi } from "vitest";
import { FACTORY, withFactoryLines } from "../given/definition.ts";
import { factoriesThatWait } from "../given/waiting-factories.ts";

const OTHER = withFactoryLines("description: other\n");
const THIRD = withFactoryLines("description: third\n");

/** A factory with r1 in force and r2 pushed, whose pass waits for a word. */
async function passUnderWay() {
  const stage = await factoriesThatWait(FACTORY);
  await stage.goOn(1);
  await vi.waitFor(() => expect(stage.sync()?.status).toBe("synced"), 5_000);
  stage.push("r2", OTHER);
  const synced = stage.factories.sync(stage.uid);
  await stage.waits(2);
  return { ...stage, synced };
}

describe("a factory that is suspended while a pass goes on", () => {
  test("does not take what that pass has read; resumed, it does", async () => {
    const { factories, uid, goOn, sync, synced } = await passUnderWay();
    expect((await factories.suspend(uid)).record.sync.status).toBe("suspended");
    await goOn(2);
    await synced;
    expect(sync()).toMatchObject({ status: "suspended", appliedRevision: "r1" });
    await factories.resume(uid);
    await goOn(3);
    await vi.waitFor(() => expect(sync()).toMatchObject({ status: "synced", appliedRevision: "r2" }), 5_000);
  });

  test("looks at nothing until it is resumed, whoever asks", async () => {
    const { factories, uid, goOn, sync, synced, push } = await passUnderWay();
    await goOn(2);
    await synced;
    await factories.suspend(uid);
    push("r3", THIRD);
    await factories.sync(uid);
    factories.pushed(uid);
    factories.secretChanged("CI_SECRET");
    expect(await factories.sync(uid)).toMatchObject({
      record: { sync: { status: "suspended", appliedRevision: "r2", attemptedRevision: "r2" } },
    });
    expect(sync()?.status).toBe("suspended");
  });
});

describe("a rollback while a pass goes on", () => {
  test("waits for it, and then holds what it was asked for", async () => {
    const { factories, store, uid, goOn, sync, synced } = await passUnderWay();
    const rolledBack = factories.rollback(uid, "r1");
    const resumed = factories.resume(uid);
    await goOn(2);
    await synced;
    expect(sync()?.appliedRevision).toBe("r2");
    await goOn(3);
    expect((await rolledBack).record.sync).toMatchObject({ appliedRevision: "r1" });
    // Asked for after the rollback, so it comes after it.
    await resumed;
    await goOn(4);
    await vi.waitFor(() => expect(sync()).toMatchObject({ status: "synced", appliedRevision: "r2" }), 5_000);
    const history = await store.factories.listRevisions(uid, { limit: 10 });
    expect(history.map(({ revision, reason }) => [revision, reason])).toEqual([
      ["r2", "resume"],
      ["r1", "rollback"],
      ["r2", "sync"],
      ["r1", "start"],
    ]);
  });

  test("to what is in force already only suspends", async () => {
    const { factories, store, uid, goOn, sync, synced } = await passUnderWay();
    await goOn(2);
    await synced;
    await factories.rollback(uid, "r2");
    await factories.rollback(uid, "r2");
    expect(sync()).toMatchObject({ status: "suspended", appliedRevision: "r2" });
    expect(await store.factories.listRevisions(uid, { limit: 10 })).toHaveLength(2);
  });
});

import { describe, expect, test, vi } from "vitest";
import { type FactoryRecord, type FactorySpec, newFactory } from "../../src/reconcile/factory.ts";
import { openMemory } from "../../src/reconcile/factory-memory.ts";
import { reconcileSharedSecret } from "../../src/reconcile/shared-secrets.ts";
import { FACTORY, withFactoryLines } from "../given/definition.ts";
import { factoriesThatWait } from "../given/two-servers.ts";

const OTHER = withFactoryLines("description: other\n");
const THIRD = withFactoryLines("description: third\n");

/** A factory with r1 in force and r2 pushed, whose pass waits for a word. */
async function passUnderWay() {
  const stage = await factoriesThatWait(FACTORY);
  await stage.goOn(1);
  await vi.waitFor(() => expect(stage.sync()?.status).toBe("synced"), 5_000);
  stage.push("r2", OTHER);
  const synced = stage.factories.get(stage.uid).sync();
  await stage.waits(2);
  return { ...stage, synced };
}

describe("a factory that is suspended while a pass goes on", () => {
  test("does not apply what that pass has read until it is resumed", async () => {
    const { factories, uid, goOn, sync, synced } = await passUnderWay();
    await factories.get(uid).suspend();
    expect(sync()?.status).toBe("suspended");
    await goOn(2);
    await synced;
    expect(sync()).toMatchObject({ status: "suspended", appliedRevision: "r1" });
    await factories.get(uid).resume();
    await goOn(3);
    await vi.waitFor(() => expect(sync()).toMatchObject({ status: "synced", appliedRevision: "r2" }), 5_000);
  });

  test("syncs nothing until it is resumed, whatever asks for it", async () => {
    const { factories, uid, goOn, sync, synced, push } = await passUnderWay();
    await goOn(2);
    await synced;
    await factories.get(uid).suspend();
    push("r3", THIRD);
    await factories.get(uid).sync();
    factories.get(uid).pushed();
    reconcileSharedSecret("CI_SECRET", factories);
    await factories.get(uid).sync();
    expect(sync()).toMatchObject({ status: "suspended", appliedRevision: "r2", attemptedRevision: "r2" });
  });
});

describe("a rollback while a pass goes on", () => {
  test("waits for the pass, and then applies the requested revision", async () => {
    const { factories, store, uid, goOn, sync, synced } = await passUnderWay();
    const rolledBack = factories.get(uid).rollback("r1");
    const resumed = factories.get(uid).resume();
    await goOn(2);
    await synced;
    expect(sync()?.appliedRevision).toBe("r2");
    await goOn(3);
    await rolledBack;
    expect(sync()).toMatchObject({ appliedRevision: "r1" });
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

  test("to the active revision only suspends", async () => {
    const { factories, store, uid, goOn, sync, synced } = await passUnderWay();
    await goOn(2);
    await synced;
    await factories.get(uid).rollback("r2");
    await factories.get(uid).rollback("r2");
    expect(sync()).toMatchObject({ status: "suspended", appliedRevision: "r2" });
    expect(await store.factories.listRevisions(uid, { limit: 10 })).toHaveLength(2);
  });
});

describe("two lookups of a factory at the same time", () => {
  const SPEC: FactorySpec = {
    ...{
      sourceKey: "x",
      name: "x",
      mode: "managed",
      description: { path: "/x" },
      secrets: [],
      pollMs: undefined,
    },
    source: {} as never,
  };
  const read: ((status: "synced" | "failed") => void)[] = [];
  const store = {
    create: async (factory: FactoryRecord) => factory,
    findDefinition: async () => undefined,
    findBySource: () =>
      new Promise<FactoryRecord>((resolve) => {
        read.push((status) => {
          const factory = newFactory(SPEC, new Date(0));
          resolve({ ...factory, sync: { ...factory.sync, status } });
        });
      }),
  };

  test("each show what they have found when they end, and never less than a later one", async () => {
    const deps = { store, sealer: {} as never, now: () => new Date(0), announce: () => {} };
    const memory = await openMemory(SPEC, deps, newFactory(SPEC, new Date(0)));
    const [first, second] = [memory.refresh(), memory.refresh()];
    read[0]?.("synced");
    await first;
    expect(memory.record.sync.status).toBe("synced");
    const third = memory.refresh();
    read[2]?.("failed");
    await third;
    read[1]?.("synced");
    await second;
    expect(memory.record.sync.status).toBe("failed");
  });
});

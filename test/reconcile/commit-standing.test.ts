import { expect, test, vi } from "vitest";
import { FACTORY, withFactoryLines } from "../given/definition.ts";
import { factoriesThatWait } from "../given/two-servers.ts";

test("a commit that becomes active while someone asks for it is not reported as replaced", async () => {
  const { factories, uid, goOn, push, sync, waits, whileAsked } = await factoriesThatWait(FACTORY);
  await goOn(1);
  await vi.waitFor(() => expect(sync()?.status).toBe("synced"), 5_000);
  push("r2", withFactoryLines("description: other\n"));
  const synced = factories.get(uid).sync();
  await waits(2);
  whileAsked(async () => {
    await goOn(2);
    await synced;
  });
  expect(await factories.get(uid).commitStanding("r2")).toMatchObject({
    state: "pending",
    appliedRevision: "r1",
  });
  expect(await factories.get(uid).commitStanding("r2")).toMatchObject({
    state: "in_force",
    appliedRevision: "r2",
  });
});

/** A factory with r1 in force by a rollback from r2, which its source still has. */
async function rolledBack() {
  let isThere = true;
  const stage = await factoriesThatWait(FACTORY, { isThere: () => isThere });
  const factory = stage.factories.get(stage.uid);
  await stage.goOn(1);
  await vi.waitFor(() => expect(stage.sync()?.status).toBe("synced"), 5_000);
  stage.push("r2", withFactoryLines("description: other\n"));
  const synced = factory.sync();
  await stage.goOn(2);
  await synced;
  const rolled = factory.rollback("r1");
  await stage.goOn(3);
  await rolled;
  const stateOf = async (commit: string) => (await factory.commitStanding(commit)).state;
  return { ...stage, factory, stateOf, setThere: (next: boolean) => (isThere = next) };
}

test("a commit that a rollback replaced is pending from the resume until the sync that resume requests", async () => {
  const { factory, stateOf, goOn } = await rolledBack();
  expect(await stateOf("r2")).toBe("replaced");
  await factory.resume();
  expect(await stateOf("r2")).toBe("pending");
  await goOn(4);
  await vi.waitFor(async () => expect(await stateOf("r2")).toBe("in_force"), 5_000);
});

test("a commit that a rollback replaced stays pending while the source of a resumed factory cannot be read", async () => {
  const { factory, stateOf, goOn, sync, setThere } = await rolledBack();
  setThere(false);
  await factory.resume();
  await vi.waitFor(() => expect(sync()?.status).toBe("failed"), 5_000);
  expect(await stateOf("r2")).toBe("pending");
  setThere(true);
  const synced = factory.sync();
  await goOn(4);
  await synced;
  expect(await stateOf("r2")).toBe("in_force");
});

test("a commit that the source no longer has is reported as replaced again after the sync that resume requests", async () => {
  const { factory, stateOf, goOn, sync, push } = await rolledBack();
  push("r3", withFactoryLines("description: third\n"));
  await factory.resume();
  expect(await stateOf("r2")).toBe("pending");
  await goOn(4);
  await vi.waitFor(() => expect(sync()?.appliedRevision).toBe("r3"), 5_000);
  expect(await stateOf("r2")).toBe("replaced");
});

test("a commit that a rollback replaced is not pending in a factory that is suspended again", async () => {
  const { factory, stateOf } = await rolledBack();
  await factory.resume();
  await factory.suspend();
  expect(await stateOf("r2")).toBe("replaced");
});

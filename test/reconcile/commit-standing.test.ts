import { expect, test, vi } from "vitest";
import { FACTORY, withFactoryLines } from "../given/definition.ts";
import { factoriesThatWait } from "../given/waiting-factories.ts";

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

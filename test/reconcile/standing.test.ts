import { expect, test, vi } from "vitest";
import { FACTORY, withFactoryLines } from "../given/definition.ts";
import { factoriesThatWait } from "../given/waiting-factories.ts";

test("a commit that comes into force while somebody asks for it is not said to be replaced", async () => {
  const { factories, uid, goOn, push, sync, waits, whileAsked } = await factoriesThatWait(FACTORY);
  await goOn(1);
  await vi.waitFor(() => expect(sync()?.status).toBe("synced"), 5_000);
  push("r2", withFactoryLines("description: other\n"));
  const synced = factories.sync(uid);
  await waits(2);
  whileAsked(async () => {
    await goOn(2);
    await synced;
  });
  expect(await factories.standing(uid, "r2")).toMatchObject({ state: "pending", appliedRevision: "r1" });
  expect(await factories.standing(uid, "r2")).toMatchObject({ state: "in_force", appliedRevision: "r2" });
});

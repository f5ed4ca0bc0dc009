import { describe, expect, test } from "vitest";
import { APPLIED, aFactory, anApplication, applyTo } from "../../given/factory.ts";
import { AT, aStore, LATER } from "../../given/store.ts";

const PRINCIPAL = { uid: "ann", type: "user", displayName: "Ann" } as const;

describe("a suspended factory", () => {
  test("takes no revision but one that suspends it, also of a pass that began before", async () => {
    const { factories } = await aStore();
    const { uid } = await factories.create(aFactory());
    await applyTo(factories, uid, anApplication("r1"));
    expect(await factories.suspend(uid, AT)).toBe(true);
    expect(await factories.suspend(uid, LATER)).toBe(false);
    expect(await applyTo(factories, uid, anApplication("r2"))).toBe("suspended");
    expect((await factories.list())[0]?.sync).toMatchObject({ status: "suspended", appliedRevision: "r1" });
    expect(await applyTo(factories, uid, anApplication("r0", { suspends: true }))).toEqual(APPLIED);
    expect((await factories.list())[0]?.sync).toMatchObject({ status: "suspended", appliedRevision: "r0" });
  });

  test("reports again how its last attempt ended when it is resumed, and notifies listeners", async () => {
    const { factories, changes } = await aStore();
    const { uid } = await factories.create(aFactory());
    await factories.recordFailure(uid, anApplication("r1"));
    await factories.suspend(uid, AT);
    expect(await factories.resume(uid, LATER)).toBe(true);
    expect(await factories.resume(uid, LATER)).toBe(false);
    expect((await factories.list())[0]?.sync.status).toBe("failed");
    expect((await changes.listAfter(0, 10)).map(({ status }) => status)).toEqual([
      "failed",
      "suspended",
      "failed",
    ]);
  });
});

describe("the history of a factory", () => {
  test("reports why each attempt was made and for which principal; a refused rollback says nothing about the source", async () => {
    const { factories } = await aStore();
    const { uid } = await factories.create(aFactory());
    await applyTo(factories, uid, anApplication("r1", { reason: "sync", principal: PRINCIPAL }));
    await factories.recordRefusal(uid, anApplication("r0", { reason: "rollback" }));
    const history = await factories.listRevisions(uid, { limit: 10 });
    expect(
      history.map(({ revision, outcome, reason, principal }) => [revision, outcome, reason, principal]),
    ).toEqual([
      ["r0", "failed", "rollback", null],
      ["r1", "applied", "sync", PRINCIPAL],
    ]);
    expect((await factories.list())[0]?.sync).toMatchObject({ status: "synced", attemptedRevision: "r1" });
  });

  test("finds a revision by the beginning of its hash, once for each outcome", async () => {
    const { factories } = await aStore();
    const { uid } = await factories.create(aFactory());
    await factories.recordFailure(uid, anApplication("abc1"));
    await applyTo(factories, uid, anApplication("abc1"));
    await applyTo(factories, uid, anApplication("abc1"));
    await applyTo(factories, uid, anApplication("abd2"));
    const found = await factories.findAttempts(uid, "abc", 10);
    expect(found.map(({ revision, outcome }) => [revision, outcome])).toEqual([
      ["abc1", "applied"],
      ["abc1", "failed"],
    ]);
    expect(await factories.findAttempts(uid, "c1", 10)).toEqual([]);
  });
});

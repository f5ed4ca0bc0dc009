import { describe, expect, test } from "vitest";
import type { EffectiveChange } from "../../../src/definitions/changes/plan.ts";
import { newUuid } from "../../../src/id.ts";
import type { Application } from "../../../src/reconcile/factory.ts";
import { APPLIED, aFactory, anApplication, applyTo } from "../../given/factory.ts";
import { AT, aStore, LATER } from "../../given/store.ts";

describe("factories", () => {
  const change = (action: EffectiveChange["action"], name: string, uid?: string): EffectiveChange => {
    return {
      action,
      kind: "webhook",
      name,
      path: `webhooks/${name}.yaml`,
      uid,
      fields: [],
      values: [],
      body: `{"name":"${name}"}`,
      fingerprint: action,
    };
  };
  const application = (revision: string, changes: EffectiveChange[], more: Partial<Application> = {}) =>
    anApplication(revision, { changes, ...more });

  test("of the same last name get a number until their definition names them", async () => {
    const { factories } = await aStore();
    expect((await factories.create(aFactory("a"))).name).toBe("a");
    expect((await factories.create({ ...aFactory("a"), sourceKey: "other" })).name).toBe("a-2");
  });

  test("still report which revision is applied after a later one was refused", async () => {
    const { factories } = await aStore();
    const { uid } = await factories.create(aFactory("a"));
    await applyTo(factories, uid, application("r1", []));
    const problem = {
      code: "FF_ALIAS" as const,
      message: "m",
      path: "p",
      line: 1,
      column: 1,
      severity: "error" as const,
    };
    await factories.recordFailure(uid, {
      id: newUuid(),
      revision: { id: "r2", author: undefined, message: undefined },
      at: LATER,
      problems: [problem],
      changes: [],
      reason: "poll",
      principal: null,
    });
    const [record] = await factories.list();
    expect(record).toMatchObject({
      name: "acme",
      sync: {
        status: "failed",
        attemptedRevision: "r2",
        attemptedAt: LATER,
        appliedRevision: "r1",
        appliedAt: AT,
        problems: [problem],
      },
    });
    expect(
      (await factories.listRevisions(uid, { limit: 10 })).map(({ revision, outcome }) => [revision, outcome]),
    ).toEqual([
      ["r2", "failed"],
      ["r1", "applied"],
    ]);
  });

  test("give a name that comes back its old uid", async () => {
    const { factories } = await aStore();
    const { uid } = await factories.create(aFactory("a"));
    await applyTo(
      factories,
      uid,
      application("r1", [change("create", "ci")], { newUids: { "webhook/ci": "UID" } }),
    );
    await applyTo(factories, uid, application("r2", [change("delete", "ci", "UID")]));
    expect(await factories.listResources(uid)).toMatchObject([{ uid: "UID", deleted: true }]);
    await applyTo(factories, uid, application("r3", [change("create", "ci", "UID")]));
    expect(await factories.listResources(uid)).toMatchObject([{ uid: "UID", deleted: false, createdAt: AT }]);
  });

  test("apply nothing of a change when one part of it cannot be written", async () => {
    const { factories } = await aStore();
    const { uid } = await factories.create(aFactory("a"));
    await expect(
      applyTo(
        factories,
        uid,
        application("r1", [change("create", "one"), change("create", "two")], {
          newUids: { "webhook/one": "U" },
        }),
      ),
    ).rejects.toThrow("without a uid");
    expect(await factories.listResources(uid)).toEqual([]);
    expect((await factories.list())[0]?.sync.appliedRevision).toBeNull();
  });

  test("go on with another source, with all that was attempted from there", async () => {
    const { factories } = await aStore();
    const former = await factories.create(aFactory("former"));
    await applyTo(factories, former.uid, application("r1", []));
    const next = await factories.create(aFactory("next"));
    const refused = { ...application("r2", []), problems: [] };
    await factories.recordFailure(next.uid, refused);
    const takesOver = { formerSourceKey: former.sourceKey, replaced: next };
    await factories.noteServed([next.uid]);
    expect(await factories.listResting()).toEqual([former.uid]);
    expect(await applyTo(factories, former.uid, application("r3", [], { takesOver }))).toEqual(APPLIED);
    expect(await factories.listResting()).toEqual([]);
    expect(await factories.list()).toMatchObject([
      { uid: former.uid, name: "acme", sourceKey: next.sourceKey, source: next.source },
    ]);
    const history = await factories.listRevisions(former.uid, { limit: 10 });
    expect(history.map(({ revision }) => revision)).toEqual(["r3", "r2", "r1"]);

    const third = await factories.create(aFactory("third"));
    const late = { formerSourceKey: former.sourceKey, replaced: third };
    expect(await applyTo(factories, former.uid, application("r4", [], { takesOver: late }))).toBe(
      "name taken",
    );
    expect(await factories.findBySource(third.sourceKey)).toMatchObject({ uid: third.uid });
  });

  test("are not made under the alias of another, in letters of any case, in one transaction with that look", async () => {
    const { factories } = await aStore();
    const { uid } = await factories.create(aFactory("one"));
    const definition = { ...change("create", "acme"), kind: "factory" as const, body: '{"alias":"Our-Own"}' };
    const aliased = application("r1", [definition], { alias: "Our-Own", newUids: { "factory/acme": "U" } });
    expect(await applyTo(factories, uid, aliased)).toEqual(APPLIED);
    expect(await factories.claim(aFactory("our-own"))).toMatchObject({ uid, name: "acme" });
    expect(await factories.claim(aFactory("acme"))).toMatchObject({ uid });
    expect(await factories.claim(aFactory("free"))).toBeUndefined();
    expect((await factories.list()).map(({ name }) => name).sort()).toEqual(["acme", "free"]);
  });

  test("cannot take the name of another", async () => {
    const { factories } = await aStore();
    const one = await factories.create(aFactory("one"));
    const two = await factories.create(aFactory("two"));
    await applyTo(factories, one.uid, application("r1", []));
    expect(
      await applyTo(
        factories,
        two.uid,
        application("r1", [change("create", "x")], { newUids: { "webhook/x": "U" } }),
      ),
    ).toBe("name taken");
    expect(await factories.listResources(two.uid)).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import { NO_FACTORY, onlyFor, SHARED } from "../../../src/secrets/rules/scope.ts";
import { outsideScopes, settingScopes as scopesOfSettings } from "../../../src/secrets/setting-scopes.ts";
import { APPLIED, aFactory } from "../../given/factory.ts";
import { AT, aStore, LATER } from "../../given/store.ts";

const HOME = "forges.home";

describe("the scopes of what the settings give", () => {
  test("are put and listed, and apart from those of secrets", async () => {
    const { settingScopes, secrets } = await aStore();
    await settingScopes.put([
      { name: HOME, ...onlyFor(["a", "b"]) },
      { name: "workerEnvironment", ...SHARED },
    ]);
    await settingScopes.put([{ name: HOME, ...onlyFor(["b"]) }]);
    expect(await settingScopes.list()).toEqual([
      { name: HOME, ...onlyFor(["b"]) },
      { name: "workerEnvironment", ...SHARED },
    ]);
    await settingScopes.put([{ name: HOME, ...NO_FACTORY }]);
    expect((await settingScopes.list()).map(({ name }) => name)).toEqual(["workerEnvironment"]);
    expect(await secrets.listScopes()).toEqual([]);
  });

  test("stay with a factory that is deleted, so that no other one takes over what the settings do not speak of", async () => {
    const { settingScopes, secrets, factories, factoryDeletions } = await aStore();
    const one = await factories.create(aFactory("one"));
    const two = await factories.create(aFactory("two"));
    await settingScopes.put([{ name: HOME, ...onlyFor([one.uid]) }]);
    await secrets.putScopes([{ name: "OUTSIDE", ...onlyFor([one.uid]) }]);
    await factoryDeletions.remove(one.uid, LATER);
    const served = [{ uid: two.uid, name: "two", sourceName: "two" }];
    const ofForges = { scopes: await settingScopes.list(), names: [] };
    const left = scopesOfSettings({ [HOME]: {} }, served, ofForges, () => false);
    expect(left.scopes).toEqual([{ name: HOME, ...onlyFor([one.uid]) }]);
    expect(left.warnings).toEqual([
      expect.stringContaining("the factories that could use it before are no longer configured"),
    ]);
    const ofSecrets = { scopes: await secrets.listScopes(), names: [] };
    expect(outsideScopes({ OUTSIDE: {} }, served, ofSecrets).scopes).toEqual([]);
  });

  test("of a secret that is stored go with a factory that is deleted", async () => {
    const { secrets, factories, factoryDeletions } = await aStore();
    const [one, two] = [await factories.create(aFactory("one")), await factories.create(aFactory("two"))];
    await secrets.put(
      { name: "STORED", sealed: Buffer.from("x"), scope: onlyFor([one.uid, two.uid]), expected: undefined },
      AT,
    );
    await factoryDeletions.remove(one.uid, LATER);
    expect(await secrets.listScopes()).toEqual([{ name: "STORED", ...onlyFor([two.uid]) }]);
  });

  test("follow a factory that goes on with another source", async () => {
    const { settingScopes, factories } = await aStore();
    const former = await factories.create(aFactory("former"));
    const next = await factories.create(aFactory("next"));
    await settingScopes.put([{ name: HOME, ...onlyFor([next.uid]) }]);
    const takesOver = { formerSourceKey: former.sourceKey, replaced: next };
    const application = {
      ...{ id: "r", revision: { id: "r", author: undefined, message: undefined }, at: AT, problems: [] },
      ...{ factoryName: "former", changes: [], newUids: {}, credentials: [], reason: "poll" as const },
      ...{ expects: 0, principal: null, suspends: false, alias: undefined, takesOver },
    };
    expect(await factories.apply(former.uid, application)).toEqual(APPLIED);
    expect(await settingScopes.list()).toEqual([{ name: HOME, ...onlyFor([former.uid]) }]);
  });
});

import { expect, test } from "vitest";
import type { ExternalSecret } from "../../src/config/config.ts";
import { outsideScopes, scopesOfNew } from "../../src/secrets/setting-scopes.ts";

const PAYMENTS = { uid: "p", name: "billing", sourceName: "payments" };
const SHOP = { uid: "s", name: "payments", sourceName: "shop" };
const env: ExternalSecret = { env: "X" };
const NOTHING = { scopes: [], names: [] };

test("a secret of the settings is for the factories that they name: by uid, by source, then by name", () => {
  const { scopes, warnings } = outsideScopes(
    {
      A: { ...env, factories: ["payments"] },
      B: { ...env, factories: ["s", "billing"] },
      C: { ...env, shared: true },
    },
    [SHOP, PAYMENTS],
    NOTHING,
  );
  // A definition that calls itself as another source is called gets nothing by it.
  expect(scopes).toEqual([
    { name: "A", shared: false, factories: ["p"] },
    { name: "B", shared: false, factories: ["p", "s"] },
    { name: "C", shared: true, factories: [] },
  ]);
  expect(warnings).toEqual([]);
});

test("a name that no factory has causes a warning, and no factory may use the secret by it", () => {
  const { scopes, warnings } = outsideScopes({ A: { ...env, factories: ["gone"] } }, [SHOP], NOTHING);
  expect(scopes).toEqual([{ name: "A", shared: false, factories: [] }]);
  expect(warnings).toEqual([
    "secrets.A in millrace.yaml lists gone under factories:, but this server has no such factory. Its factories: " +
      "shop. Use one of these names",
  ]);
});

test("a secret for which no factory is named belongs to the only factory, and still does when another one comes", () => {
  const { scopes } = outsideScopes({ A: env }, [SHOP], NOTHING);
  expect(scopes).toEqual([{ name: "A", shared: false, factories: ["s"] }]);
  expect(outsideScopes({ A: env }, [SHOP, PAYMENTS], { scopes, names: [] })).toEqual({
    scopes: [],
    newNames: [],
    warnings: [],
  });
  const { scopes: none, warnings } = outsideScopes({ A: env }, [SHOP, PAYMENTS], NOTHING);
  expect(none).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining("does not list the factories that may use it")]);
});

test("a name that a definition gives refers to the factory that had it first, and to none once that one is gone", () => {
  const settings = { A: { ...env, factories: ["payments"] } };
  const first = { uid: "p", name: "payments", sourceName: undefined };
  const evil = { uid: "e", name: "evil", sourceName: undefined };
  const { newNames } = outsideScopes(settings, [first, evil], NOTHING);
  expect(newNames).toEqual([{ name: "payments", uid: "p" }]);
  const known = { scopes: [], names: newNames };
  const taken = { ...evil, name: "payments" };
  const renamed = outsideScopes(settings, [taken, { ...first, name: "billing" }], known);
  expect(renamed).toMatchObject({ scopes: [{ factories: ["p"] }], newNames: [] });
  const deleted = outsideScopes(settings, [taken], known);
  expect(deleted).toMatchObject({ scopes: [{ factories: [] }], newNames: [] });
  expect(deleted.warnings).toEqual([expect.stringContaining("use the UID of another factory")]);
});

test("a new factory is added where its name is listed, and no other name is resolved again", () => {
  const settings = { A: { ...env, factories: ["new", "payments"] }, B: { ...env, factories: ["payments"] } };
  const made = { uid: "n", name: "new", sourceName: undefined };
  const evil = { uid: "e", name: "payments", sourceName: undefined };
  const scopes = [{ name: "A", shared: false, factories: ["p"] }];
  expect(scopesOfNew(settings, made, [evil, made], { scopes, names: [] })).toEqual({
    scopes: [{ name: "A", shared: false, factories: ["n", "p"] }],
    newNames: [{ name: "new", uid: "n" }],
  });
  const again = { scopes, names: [{ name: "new", uid: "gone" }] };
  expect(scopesOfNew(settings, made, [evil, made], again)).toEqual({ scopes: [], newNames: [] });
});

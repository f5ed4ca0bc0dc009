import { expect, test } from "vitest";
import { outsideScopes, scopesOfNew } from "../../src/secrets/outside-scopes.ts";

const PAYMENTS = { uid: "p", name: "billing", sourceName: "payments" };
const SHOP = { uid: "s", name: "payments", sourceName: "shop" };
const env = { env: "X" };
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

test("a name that no factory has is warned of, and lets nobody use it", () => {
  const { scopes, warnings } = outsideScopes({ A: { ...env, factories: ["gone"] } }, [SHOP], NOTHING);
  expect(scopes).toEqual([{ name: "A", shared: false, factories: [] }]);
  expect(warnings).toEqual([expect.stringContaining("secrets.A in millrace.yaml names gone")]);
});

test("where nothing is said it is the only factory's, and stays that when another one comes", () => {
  const { scopes } = outsideScopes({ A: env }, [SHOP], NOTHING);
  expect(scopes).toEqual([{ name: "A", shared: false, factories: ["s"] }]);
  expect(outsideScopes({ A: env }, [SHOP, PAYMENTS], { scopes, names: [] })).toEqual({
    scopes: [],
    newNames: [],
    warnings: [],
  });
  const { scopes: none, warnings } = outsideScopes({ A: env }, [SHOP, PAYMENTS], NOTHING);
  expect(none).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining("does not say which of the factories")]);
});

test("a name that a definition gives leads to whoever had it first, and to nobody once that one is gone", () => {
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
  expect(deleted.warnings).toEqual([expect.stringContaining("write the uid of another one")]);
});

test("a factory that is made adds itself where its name stands, and nothing else is looked up again", () => {
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

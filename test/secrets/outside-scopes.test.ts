import { expect, test } from "vitest";
import { outsideScopes } from "../../src/secrets/outside-scopes.ts";

const PAYMENTS = { uid: "p", name: "billing", sourceName: "payments" };
const SHOP = { uid: "s", name: "payments", sourceName: "shop" };
const env = { env: "X" };

test("a secret of the settings is for the factories that they name: by uid, by source, then by name", () => {
  const { scopes, warnings } = outsideScopes(
    {
      A: { ...env, factories: ["payments"] },
      B: { ...env, factories: ["s", "billing"] },
      C: { ...env, shared: true },
    },
    [SHOP, PAYMENTS],
    [],
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
  const { scopes, warnings } = outsideScopes({ A: { ...env, factories: ["gone"] } }, [SHOP], []);
  expect(scopes).toEqual([{ name: "A", shared: false, factories: [] }]);
  expect(warnings).toEqual([expect.stringContaining("secrets.A in millrace.yaml names gone")]);
});

test("where nothing is said it is the only factory's, and stays that when another one comes", () => {
  const { scopes } = outsideScopes({ A: env }, [SHOP], []);
  expect(scopes).toEqual([{ name: "A", shared: false, factories: ["s"] }]);
  expect(outsideScopes({ A: env }, [SHOP, PAYMENTS], scopes)).toEqual({ scopes: [], warnings: [] });
  const { scopes: none, warnings } = outsideScopes({ A: env }, [SHOP, PAYMENTS], []);
  expect(none).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining("does not say which of the factories")]);
});

import { describe, expect, test } from "vitest";
import { NO_FACTORY, onlyFor, type SecretScope, SHARED } from "../../../src/secrets/rules/scope.ts";
import { AT, aStore, LATER } from "../../given/store.ts";

const secret = (name: string, value: string, scope: SecretScope, expected?: SecretScope) => {
  return { name, sealed: Buffer.from(value), scope, expected };
};

describe("secrets", () => {
  test("are put, listed without values, found and removed", async () => {
    const { secrets } = await aStore();
    await secrets.put(secret("B", "1", SHARED), AT);
    await secrets.put(secret("A", "2", onlyFor(["f", "g"])), AT);
    expect(await secrets.put(secret("B", "3", NO_FACTORY, SHARED), LATER)).toEqual({
      name: "B",
      created_at: AT,
      updated_at: LATER,
      shared: false,
      factories: [],
    });
    expect(await secrets.list()).toEqual([
      { name: "A", created_at: AT, updated_at: AT, shared: false, factories: ["f", "g"] },
      { name: "B", created_at: AT, updated_at: LATER, shared: false, factories: [] },
    ]);
    const found = await secrets.find(["B", "C"]);
    expect(found.map(({ name, sealed }) => [name, Buffer.from(sealed).toString()])).toEqual([["B", "3"]]);
    expect(await secrets.remove("B", NO_FACTORY)).toBe(true);
    expect(await secrets.remove("B", NO_FACTORY)).toBe(false);
  });

  test("whose scope has become another are neither written nor removed", async () => {
    const { secrets } = await aStore();
    await secrets.put(secret("A", "1", onlyFor(["f"])), AT);
    expect(await secrets.put(secret("A", "2", onlyFor(["g"])), LATER)).toBeUndefined();
    expect(await secrets.put(secret("A", "2", SHARED, onlyFor(["f", "g"])), LATER)).toBeUndefined();
    expect(await secrets.put(secret("B", "2", SHARED, SHARED), LATER)).toBeUndefined();
    expect(await secrets.remove("A", SHARED)).toBe(false);
    expect(await secrets.changeScope({ name: "A", ...SHARED }, onlyFor(["g"]))).toBe(false);
    expect(await secrets.changeScope({ name: "B", ...SHARED }, NO_FACTORY)).toBe(false);
    expect(await secrets.list()).toMatchObject([{ name: "A", updated_at: AT, factories: ["f"] }]);
  });

  test("report whether anything is encrypted", async () => {
    const { secrets } = await aStore();
    expect(await secrets.findWhetherAnythingIsSealed()).toBe(false);
    await secrets.put(secret("A", "1", SHARED), AT);
    expect(await secrets.findWhetherAnythingIsSealed()).toBe(true);
  });
});

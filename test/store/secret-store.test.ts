import { describe, expect, test } from "vitest";
import { AT, aStore, LATER } from "../given/store.ts";

describe("secrets", () => {
  test("are put, listed without values, found and removed", async () => {
    const { secrets } = await aStore();
    await secrets.put({ name: "B", sealed: Buffer.from("1") }, AT);
    await secrets.put({ name: "A", sealed: Buffer.from("2") }, AT);
    expect(await secrets.put({ name: "B", sealed: Buffer.from("3") }, LATER)).toEqual({
      name: "B",
      created_at: AT,
      updated_at: LATER,
    });
    expect(await secrets.list()).toEqual([
      { name: "A", created_at: AT, updated_at: AT },
      { name: "B", created_at: AT, updated_at: LATER },
    ]);
    const found = await secrets.find(["B", "C"]);
    expect(found.map(({ name, sealed }) => [name, Buffer.from(sealed).toString()])).toEqual([["B", "3"]]);
    expect(await secrets.remove("B")).toBe(true);
    expect(await secrets.remove("B")).toBe(false);
  });

  test("tell whether anything is sealed", async () => {
    const { secrets } = await aStore();
    expect(await secrets.findWhetherAnythingIsSealed()).toBe(false);
    await secrets.put({ name: "A", sealed: Buffer.from("1") }, AT);
    expect(await secrets.findWhetherAnythingIsSealed()).toBe(true);
  });
});

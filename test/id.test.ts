import { expect, test } from "vitest";
import { firstUuidOf, isUuid, newUid, newUuid, newUuidAfter } from "../src/id.ts";

test("ids of one process sort in the order of their making, also when the clock stands still or steps back", async () => {
  // The process of the tests makes ids too, and they tell the time: this instance alone is moved into the future.
  const moved = "../src/id.ts?moved";
  const { newUuid }: typeof import("../src/id.ts") = await import(moved);
  const now = Date.now() + 1_000_000;
  const ids = [
    ...Array.from({ length: 10_000 }, () => newUuid(now)),
    ...Array.from({ length: 10 }, () => newUuid(now - 5_000)),
    newUuid(now + 60_000),
  ];
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test("an id that sorts after one of tomorrow moves none but itself into the future", () => {
  const tomorrow = firstUuidOf(Date.now() + 86_400_000);
  const first = newUuidAfter(tomorrow);
  expect([newUuidAfter(first), newUuid(), first, tomorrow].sort().slice(1, 3)).toEqual([tomorrow, first]);
  const past = newUuid();
  expect(newUuidAfter(past) > past).toBe(true);
});

test("a run id is a UUID of version 7", () => {
  expect(newUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(isUuid(newUuid())).toBe(true);
  expect(isUuid("NOT-ONE")).toBe(false);
});

test("a uid is 22 letters and digits", () => {
  expect(newUid()).toMatch(/^[A-Za-z0-9]{22}$/);
});

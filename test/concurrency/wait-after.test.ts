import { describe, expect, test } from "vitest";
import { waitAfter } from "../../src/concurrency/rounds.ts";

describe("the wait after failures", () => {
  test("doubles up to the longest one", () => {
    const retry = { firstMs: 200, mostMs: 5_000 };
    const waits = [1, 2, 3, 4, 5, 6, 7, 2_000].map((failures) => waitAfter(failures, retry));
    expect(waits).toEqual([200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
  });

  test("stays finite without a longest one", () => {
    expect(waitAfter(2_000, { firstMs: 1 })).toBe(2 ** 20);
  });

  test("differs by the spread at most", () => {
    const waits = Array.from({ length: 200 }, () => waitAfter(1, { firstMs: 1_000, spread: 0.2 }));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(800);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1_200);
    expect(new Set(waits).size).toBeGreaterThan(1);
  });
});

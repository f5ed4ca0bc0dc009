import { describe, expect, test } from "vitest";
import { bytesOfShare, memoryShare, processors } from "../../src/config/values.ts";
import { limitsHere } from "../../src/executor/cgroups/run-limits.ts";

const GIB = 1024 ** 3;

describe("the memory of a run", () => {
  test.each([
    ["75%", 6 * GIB],
    ["1%", 0.08 * GIB],
    ["2GiB", 2 * GIB],
    ["0", undefined],
  ])("can be %s", (written, bytes) => {
    expect(bytesOfShare(memoryShare(written), 8 * GIB)).toEqual(bytes);
  });

  test.each(["100%", "0%", "75", "-1%", "1.5%", "2GB", "", "75 %"])("cannot be %j", (written) => {
    expect(() => memoryShare(written)).toThrow(/expected a share/);
  });

  test("is a whole number of mebibytes, which is what the kernel makes of it too", () => {
    const { memoryBytes = 0, mostBytes } = limitsHere({ runMemory: "33%", runCpus: 0 }, 1_234_567_891);
    expect([memoryBytes % 1024 ** 2, mostBytes % 1024 ** 2]).toEqual([0, 0]);
    expect(memoryBytes).toBeGreaterThan(1_234_567_891 * 0.32);
  });
});

describe("the processors of a run", () => {
  test.each([
    ["0", 0],
    ["2", 2],
    ["0.5", 0.5],
  ])("can be %s", (written, number) => {
    expect(processors(written)).toBe(number);
  });

  test.each(["0.01", "-1", "many", "1e3", ""])("cannot be %j", (written) => {
    expect(() => processors(written)).toThrow(/expected a number of processors/);
  });
});

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { PARTS, partsNamed } from "../../proof/parts.ts";
import { tableOf } from "../../proof/table.ts";

test("the parts of a proof share its whole time, and one that is named has all of it", () => {
  expect(PARTS.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  expect(partsNamed(undefined)).toBe(PARTS);
  expect(partsNamed("full disk").map(({ name }) => name)).toEqual(["full disk"]);
  expect(() => partsNamed("disk")).toThrow('no part "disk". Name one of "crashes", "fuzz"');
});

test("the table of a proof tells every fault in a sentence, and how to see it again", () => {
  const counts = {
    seconds: 60,
    faults: 3,
    requests: 1_234,
    taken: 1_200,
    duplicates: 4,
    refused: 5,
    runs: 6,
  };
  const sentences = { lost: ["token 7 was answered 202, and is not in the log"], doubled: [], stuck: [] };
  const figures = {
    part: "crashes",
    ...counts,
    cutOff: 2,
    ...sentences,
    broken: [],
    note: "killed: 3 servers",
  };
  const table = tableOf([figures, { ...figures, part: "soak", lost: [], note: undefined }], {
    seed: 42,
    minutes: 2,
  });
  expect(table).toContain("| crashes | 3 | 1,234 | 1,200 | 4 | 5 | 6 | 2 | 1 | 0 | 0 | 0 |");
  expect(table).toContain("| all | 6 | 2,468 | 2,400 | 8 | 10 | 12 | 4 | 1 | 0 | 0 | 0 |");
  expect(table).toContain("- crashes: killed: 3 servers");
  expect(table).toContain("lost (crashes): token 7 was answered 202, and is not in the log");
  expect(table).toContain("npm run proof -- --minutes 2 --seed 42");
});

test.each([
  ["--minutes=none"],
  ["--minutes=-1"],
  ["--seed=x"],
  ["--servers=none"],
  ["--workers=0"],
  ["--forever"],
])("a proof is not begun with %s", (option) => {
  const script = fileURLToPath(new URL("../../scripts/proof.cjs", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, option], { encoding: "utf8" });
  expect([status, stderr]).toEqual([2, expect.stringContaining("npm run proof -- ")]);
});

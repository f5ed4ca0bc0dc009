import { expect, test } from "vitest";
import { foundParts } from "../../dashboard/src/pages/run/transcript/found-links.ts";

test.each<[string, string, string[]]>([
  ["nothing is sought", "", ["An error"]],
  ["it is not there", "x", ["An error"]],
  ["it is there twice, in either case", "r", ["An e", "r", "", "r", "o", "r", ""]],
  ["it is all", "AN ERROR", ["", "An error", ""]],
])("a line comes in parts, every other one of which was sought: %s", (_, sought, parts) => {
  expect(foundParts("An error", sought)).toEqual(parts);
});

test("what an agent wrote as one long line is taken apart too", () => {
  expect(foundParts("a".repeat(200_000), "a")).toHaveLength(400_001);
});

import { expect, test } from "vitest";
import { csvText } from "../../src/cli/runs/usage.ts";

test("rows are written below the names of their columns, and what is not known is empty", () => {
  const rows = [
    { key: "acme/triage", cost: 1.5 },
    { key: "(none)", cost: null },
  ];
  expect(csvText(["key", "cost"], rows)).toBe("key,cost\nacme/triage,1.5\n(none),");
});

test.each([
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ["two\nlines", '"two\nlines"'],
  ["=1+2", "'=1+2"],
  ["@sum(a,b)", `"'@sum(a,b)"`],
  ["-x", "'-x"],
])("a text that a spreadsheet would read otherwise is written so that it does not: %j", (text, cell) => {
  expect(csvText(["text"], [{ text }])).toBe(`text\n${cell}`);
});

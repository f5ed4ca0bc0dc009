import { expect, test } from "vitest";
import { markdownTokens } from "../../dashboard/src/parts/text/markdown-tokens.ts";

const kinds = (text: string) => markdownTokens(text)?.map(({ type }) => type);

test("blocks and what is in them are read", () => {
  expect(
    kinds("# A\n\nb **c**\n\n- d\n\n> e\n\n```\nf\n```\n\n|g|\n|-|\n|h|")?.filter((k) => k !== "space"),
  ).toEqual(["heading", "paragraph", "list", "blockquote", "code", "table"]);
  const [paragraph] = markdownTokens("a **b** [c](https://d.example) <i>e</i>") ?? [];
  expect(paragraph).toMatchObject({
    tokens: [
      { type: "text" },
      { type: "strong" },
      { type: "text" },
      { type: "link", href: "https://d.example" },
      { type: "text" },
      { type: "html" },
      { type: "text" },
      { type: "html" },
    ],
  });
});

test("a paragraph that is too long, and what comes after the time is up, stay as they are written", () => {
  const [long, short] = (markdownTokens(`${"_a".repeat(20_000)}\n\n*b*`) ?? []).filter(
    ({ type }) => type !== "space",
  );
  expect(long).toMatchObject({ tokens: [{ type: "text" }] });
  expect(short).toMatchObject({ tokens: [{ type: "em" }] });
  let time = 0;
  const slow = markdownTokens("*a*\n\n*b*", () => (time += 100));
  expect(slow?.at(-1)).toMatchObject({ tokens: [{ type: "text", text: "*b*" }] });
});

test("tables with many more cells than are written stay as they are written", () => {
  const table = (columns: number, rows: number) =>
    `|${"a|".repeat(columns)}\n|${"-|".repeat(columns)}\n${"|\n".repeat(rows)}`;
  expect(kinds(table(200, 30_000))).not.toContain("table");
  const many = kinds(`${table(90, 100)}\n`.repeat(50));
  expect(many?.filter((kind) => kind === "table")).toHaveLength(1);
});

test("what is nested without end is not read at all", () => {
  expect(markdownTokens(">".repeat(20_000))).toBeUndefined();
});

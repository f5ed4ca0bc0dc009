import { expect, test } from "vitest";
import { MAX_PROBLEMS_OF_FILE } from "../../../src/definitions/problem.ts";
import { FACTORY, load } from "../../given/definition.ts";

const ROOM = 250 * 1024;
const fill = (text: string) => text.repeat(Math.floor(ROOM / text.length));
const keys = Array.from({ length: 25_000 }, (_, index) => `k${index}: b\n`).join("");

test.each([
  ["keys that nobody knows", "webhooks/w.yaml", keys],
  ["one key again and again", "webhooks/w.yaml", fill("a: b\n")],
  ["brackets that close nothing", "webhooks/w.yaml", fill("]")],
  ["commas with nothing between them", "webhooks/w.yaml", `a: [${fill(",")}]`],
  ["escapes that are none", "webhooks/w.yaml", `a: "${fill("\\q")}"`],
  ["keys in a front matter", "automations/w.md", `---\n${keys}---\nx`],
])("a file of %s has its first thousand problems told, and that there are more", async (_, path, text) => {
  const { problems } = await load({ ...FACTORY, [path]: text });
  const found = problems.filter((problem) => problem.path === path);
  expect(found).toHaveLength(MAX_PROBLEMS_OF_FILE + 1);
  expect(found.filter(({ message }) => message.includes("only the first 1000"))).toHaveLength(1);
});

test.each([
  ["line ends", fill("\n")],
  ["blanks", fill(" ")],
  ["lines of blanks", fill(`${" ".repeat(60)}\n`)],
])("a front matter of %s is refused before anything looks for comments in it", async (_, blank) => {
  const { problems } = await load({ ...FACTORY, "automations/w.md": `---\na: 1\n${blank}\n---\nx` });
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([
    expect.objectContaining({ code: "FF_MALFORMED_FRONTMATTER", path: "automations/w.md" }),
  ]);
});

import { readFileSync } from "node:fs";

/** A title stands before the function that is the test: `test("a claim", async () => …`, `])("%s ends", (_, text) => …`. */
const TITLE = /[\w)\]]\(\s*"((?:[^"\\]|\\.)*)",\s*(?:async\s*)?(?:\(|\w+ =>)/g;
/** The first text of a row of a table of cases. */
const ROW = /^\s*\[\s*"((?:[^"\\]|\\.)*)",/gm;

/** What the tests of a file claim: their titles, and the names of the cases in their tables. */
export function titlesOf(file: string): string[] {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
  const found = [...text.matchAll(TITLE), ...(text.includes("test.each") ? text.matchAll(ROW) : [])];
  return found.map((match) => JSON.parse(`"${match[1]}"`));
}

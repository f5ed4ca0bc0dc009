import { describe, expect, test } from "vitest";
// @ts-expect-error Scripts have no types.
import { PLAIN_WORDS } from "../../scripts/plain-words.mjs";
// @ts-expect-error Scripts have no types.
import { textsOf } from "../../scripts/user-texts.mjs";

type Text = { line: number; text: string };
type Rule = { phrase: RegExp; plain: string };

const textOf = (path: string, content: string) => (textsOf(path, content) as Text[]).map(({ text }) => text);

describe("texts that users see", () => {
  test("are the strings and templates of a source, not its comments, words of code and SQL", () => {
    const source = `
      // A comment that nobody sees.
      import { thing } from "./managed.ts";
      const one = "The file was not found.";
      const two = \`The file \${one} has \${thing.count("of a kind")} lines.\`;
      const sql = "SELECT kept FROM runs WHERE id = ?";`;
    expect(textOf("src/a.ts", source)).toEqual([
      "The file was not found.",
      "The file … has … lines.",
      "of a kind",
    ]);
  });

  test("are what a page of the dashboard shows, with its line", () => {
    expect(textsOf("dashboard/src/a.tsx", "const a = (\n  <p>No runs yet</p>\n);")).toEqual([
      { line: 2, text: "No runs yet" },
    ]);
  });

  test("are the prose of a page of the docs, without code, comments and the targets of links", () => {
    const page = "# Runs\n\n```sh\nmillrace kept\n```\n<!-- kept -->\nA `kept` [run](docs/kept.md).";
    expect(textOf("docs/a.md", page).filter((text: string) => text.trim() !== "")).toEqual([
      "# Runs",
      "A `` [run].",
    ]);
  });

  test("are the titles and descriptions of a schema", () => {
    const schema = '{\n  "title": "A webhook",\n  "enum": ["kept here"]\n}';
    expect(textsOf("schemas/a.json", schema)).toEqual([{ line: 2, text: "A webhook" }]);
  });
});

describe("the plain words", () => {
  const faultsOf = (text: string) =>
    (PLAIN_WORDS as Rule[])
      .filter(({ phrase }) => new RegExp(phrase, "i").test(text))
      .map(({ plain }) => plain);

  test.each([
    ["Mend it in Text.", "fix"],
    ["Deliveries are kept.", "stored, saved, retained or managed"],
    ["A stranger is let in.", "authenticate, accept or allow"],
    ["The file is no YAML.", "is not a …, or there is no …"],
    ["The revision in force.", "active, or the applied revision"],
  ])("take the place of riddles: %s", (text, plain) => {
    expect(faultsOf(text)).toEqual([plain]);
  });

  test.each([
    "There is no file at this path.",
    "The webhook is no longer active.",
    "Amend the commit, and recommend a fix.",
    "millrace lets you sign in with a key.",
  ])("leave plain sentences alone: %s", (text) => {
    expect(faultsOf(text)).toEqual([]);
  });
});

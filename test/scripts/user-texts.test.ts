import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
// @ts-expect-error Scripts have no types.
import { PLAIN_WORDS } from "../../scripts/plain-words.mjs";
// @ts-expect-error Scripts have no types.
import { commentsOf, textsOf } from "../../scripts/user-texts.mjs";
import { type Files, temporaryFolder, writeFiles } from "../given/folder.ts";
import { runGit } from "../given/repository.ts";

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

describe("comments and names", () => {
  test("are read with their lines, names with their words apart, and without code", () => {
    const source = [
      "/** Runs that `nobody` reads,",
      " * and others. */",
      "export function readInForce(now: Date) { // at the end",
      '  const { told } = now; return <p>{"// no comment"} // nor this</p>;',
      "}",
    ];
    expect(commentsOf("src/a.tsx", source.join("\n"))).toEqual([
      { line: 1, text: "/** Runs that `` reads," },
      { line: 2, text: " * and others. */" },
      { line: 3, text: "// at the end" },
      { line: 3, text: "read in force" },
      { line: 3, text: "now" },
    ]);
  });
});

describe("the check of a change", () => {
  const CHECK = fileURLToPath(new URL("../../scripts/check-words.mjs", import.meta.url));
  const OLD = "// What nobody was told.\nexport const a = 1;\n";

  /** A working tree on a branch, with one commit on main. */
  function branchWith(files: Files): string {
    const root = temporaryFolder();
    runGit(root, "init", "--quiet", "--initial-branch=main");
    writeFiles(root, { "src/a.ts": OLD });
    commit(root);
    runGit(root, "switch", "--quiet", "--create", "change");
    writeFiles(root, files);
    return root;
  }

  function commit(root: string): void {
    runGit(root, "add", "--all");
    runGit(root, "commit", "--quiet", "--message", "Change it");
  }

  function check(root: string): string[] {
    const { stderr } = spawnSync(process.execPath, [CHECK], { cwd: root, encoding: "utf8" });
    return stderr.split("\n").filter((line) => line.startsWith("src/"));
  }

  test("refuses a comment and a name on lines that it changed, and no others", () => {
    const root = branchWith({ "src/a.ts": `${OLD}// It is in force.\nexport const isTold = a;\n` });
    const faults = [
      'src/a.ts:3: "// It is in force.": write active, or the applied revision',
      'src/a.ts:4: "is told": write reported, sent or informed',
    ];
    expect(check(root)).toEqual(faults);
    commit(root);
    writeFiles(root, { "src/c.ts": "" });
    commit(root);
    expect(check(root)).toEqual(faults);
  });

  test("reads new files, and accepts lines that only moved", () => {
    const root = branchWith({ "src/b.ts": `${OLD}// Mend it.\n` });
    rmSync(join(root, "src/a.ts"));
    expect(check(root)).toEqual(['src/b.ts:3: "// Mend it.": write fix']);
  });

  test("needs no history", () => {
    const root = branchWith({});
    const clone = join(temporaryFolder(), "clone");
    runGit(root, "clone", "--quiet", "--depth=1", `file://${root}`, clone);
    writeFiles(clone, { "src/a.ts": `${OLD}// It is in force.\n` });
    expect(check(clone)).toEqual(['src/a.ts:3: "// It is in force.": write active, or the applied revision']);
  });
});

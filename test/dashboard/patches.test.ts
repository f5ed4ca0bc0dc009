import { describe, expect, test } from "vitest";
import { changedWords } from "../../dashboard/src/parts/diff/changed-words.ts";
import { rowsOf } from "../../dashboard/src/parts/diff/diff-rows.ts";
import { type PatchFile, readPatch } from "../../dashboard/src/parts/diff/patch-files.ts";
import { visibleParts } from "../../dashboard/src/parts/diff/visible-text.ts";

const CHANGED = `diff --git a/src/cart.ts b/src/cart.ts
index 1234567..89abcde 100644
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -1,3 +1,3 @@ export function total()
 first
-  return item.detail.quantity;
+  return quantityOf(item);
 last
@@ -34,2 +34,3 @@
 one
+two
 three
\\ No newline at end of file
`;

const first = async (text: string) => (await readPatch(text)).files[0] as PatchFile;
const texts = (file: PatchFile, view: "unified" | "split" = "unified") =>
  rowsOf(file, view).map((row) =>
    row.kind === "note"
      ? row.text
      : row.kind === "line"
        ? `${row.line.before ?? ""}|${row.line.after ?? ""}|${row.line.sign}${row.line.text}`
        : `${row.left?.before ?? ""}${row.left?.text ?? ""}|${row.right?.after ?? ""}${row.right?.text ?? ""}`,
  );

describe("a patch is read file by file", () => {
  test("with the lines of each, their numbers and what is left out between them", async () => {
    const { files, added, removed } = await readPatch(CHANGED);
    expect({ added, removed, paths: files.map(({ path }) => path) }).toEqual({
      added: 2,
      removed: 1,
      paths: ["src/cart.ts"],
    });
    expect(texts(files[0] as PatchFile)).toEqual([
      "1|1| first",
      "2||-  return item.detail.quantity;",
      "|2|+  return quantityOf(item);",
      "3|3| last",
      "30 unchanged lines",
      "34|34| one",
      "|35|+two",
      "35|36| three",
      "No line end at the end of the file",
    ]);
  });

  test("side by side, where a line that was replaced stands beside the one that replaced it", async () => {
    expect(texts(await first(CHANGED), "split").slice(0, 3)).toEqual([
      "1first|1first",
      "2  return item.detail.quantity;|2  return quantityOf(item);",
      "3last|3last",
    ]);
  });

  test.each([
    [
      "diff --git a/old.ts b/new.ts\nsimilarity index 100%\nrename from old.ts\nrename to new.ts\n",
      { change: "renamed", path: "new.ts", before: "old.ts" },
    ],
    [
      "diff --git a/a b/a\nnew file mode 100755\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n",
      { change: "added", note: "is executable now", added: 1 },
    ],
    [
      "diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
      { change: "deleted", path: "a", removed: 1 },
    ],
    [
      "diff --git a/a b/a\nold mode 100644\nnew mode 100755\n",
      { change: "changed", note: "is executable now" },
    ],
    [
      "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n",
      { change: "added", note: "is a symbolic link now" },
    ],
    [
      "diff --git a/p.png b/p.png\nBinary files a/p.png and b/p.png differ\n",
      { content: { kind: "binary" } },
    ],
    [
      "diff --git a/p.png b/p.png\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZ\n\n",
      { content: { kind: "binary" } },
    ],
    [
      "--- a/plain.txt\t2026-01-01\n+++ b/plain.txt\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n",
      { path: "plain.txt", added: 1, removed: 1 },
    ],
  ])("%j", async (text, expected) => expect(await first(text)).toMatchObject(expected));

  test("also between the mails of several commits, whose texts are no change", async () => {
    const mail = (subject: string) =>
      `From ${"a".repeat(40)} Mon Sep 17 00:00:00 2001\nFrom: A <a@b.c>\nSubject: ${subject}\n\n--- not a file\n---\n src/cart.ts | 2 +-\n\n`;
    const { files, removed } = await readPatch(
      `${mail("one")}${CHANGED}-- \n2.43.0\n\n${mail("two")}${CHANGED}-- \n2.43.0\n`,
    );
    expect(files.map(({ path, place, content }) => `${place} ${path} ${content.kind}`)).toEqual([
      "0 src/cart.ts hunks",
      "1 src/cart.ts hunks",
    ]);
    expect(removed).toBe(2);
  });
});

describe("a patch that is none, or of any size, is told and never waited for", () => {
  test("what is no patch is shown as it is written", async () => {
    expect(texts(await first("Not a patch at all.\nNothing."))).toEqual([
      "|| Not a patch at all.",
      "|| Nothing.",
    ]);
    const lying = await first(`${CHANGED.split("\n").slice(0, 6).join("\n")}\n`);
    expect(lying.content.kind).toBe("text");
    expect(texts(lying)).toContain("|| @@ -1,3 +1,3 @@ export function total()");
    expect((await readPatch("")).files).toEqual([]);
  });

  test("a file of a million lines is named with their number", async () => {
    const text = `diff --git a/big b/big\nnew file mode 100644\n--- /dev/null\n+++ b/big\n@@ -0,0 +1,1000000 @@\n${"+x\n".repeat(1_000_000)}`;
    const file = await first(text);
    expect(file).toMatchObject({ path: "big", change: "added", content: { kind: "huge" } });
    expect(texts(file)).toEqual(["Too large to be shown: 1,000,005 lines. Download it."]);
  });

  test("of very many files the first ones are read", async () => {
    const { files, unread } = await readPatch("diff --git a/x b/x\nnew mode 100755\n".repeat(50_000));
    expect([files.length, unread]).toEqual([2_000, 48_000]);
  });

  test("a line without an end is not compared word by word", async () => {
    const long = "word ".repeat(100_000);
    const file = await first(`diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-${long}\n+${long}!\n`);
    const [row] = rowsOf(file, "unified");
    expect(row?.kind === "line" && changedWords(row.line)).toHaveLength(1);
  });
});

test("of a line that was replaced the words that differ are told, unless nearly all of them do", async () => {
  const [, before, after] = rowsOf(await first(CHANGED), "unified");
  const changed = (row: typeof before) =>
    row?.kind === "line" &&
    changedWords(row.line)
      .filter(({ isChanged }) => isChanged)
      .map(({ text }) => text);
  expect(changed(after)).toEqual(["quantityOf(", ")"]);
  expect(changed(before)).toEqual([".detail.quantity"]);
  const [, other] = rowsOf(
    await first("--- a\n+++ b\n@@ -1 +1 @@\n-alpha beta gamma\n+completely different text\n"),
    "unified",
  );
  expect(changed(other)).toEqual([]);
});

test("characters that hide are named", () => {
  const shown = (text: string) =>
    visibleParts(text).map(({ text: part, isHidden }) => (isHidden ? `[${part}]` : part));
  expect(shown("a\u202eb\tc\u001b[31m\r")).toEqual(["a", "[U+202E]", "b\tc", "[U+001B]", "[31m", "[␍]"]);
  expect(visibleParts("")).toEqual([]);
});

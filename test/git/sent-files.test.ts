import { expect, test } from "vitest";
import { filesToSend, treeOfFiles } from "../../src/git/sent-files.ts";

test("files arrive as they were sent, byte for byte and with their mode", async () => {
  const sent = [
    { path: "a.txt", content: "text, \u00e4" },
    { path: "skills/x/run.sh", content: "true\n", executable: true },
    { path: "skills/x/picture.bin", content: "//4A", encoding: "base64" as const },
  ];
  const tree = treeOfFiles(sent);
  const contents = await tree.read(tree.entries);
  expect(contents.get(tree.entries[2]?.id ?? "")).toEqual(Buffer.from([0xff, 0xfe, 0x00]));
  expect(filesToSend(tree.entries, contents)).toEqual(sent);
});

test("the same files are the same revision, and others are another", () => {
  const revision = (...files: Parameters<typeof treeOfFiles>[0][number][]) => treeOfFiles(files).revision.id;
  const file = { path: "run.sh", content: "true\n" };
  expect(revision(file)).toBe(revision(file));
  const others = [
    { ...file, content: "x" },
    { ...file, path: "x" },
    { ...file, executable: true },
  ];
  expect(new Set([file, ...others].map((each) => revision(each))).size).toBe(4);
});

test.each([
  "",
  "/",
  "/a",
  "a/",
  "a//b",
  ".",
  "..",
  "./a",
  "a/./b",
  "a/../b",
  "a\\b",
  "a\0b",
  "x".repeat(1_001),
])("%j is not a valid path in a tree", (path) => {
  expect(() => treeOfFiles([{ path, content: "" }])).toThrow(/has an invalid path/);
});

import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { moveOwn, writeOwnFile, writeOwnFiles } from "../../../src/executor/workspace/own-file.ts";
import { swapForLink } from "../../given/file-worker.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";

test("a file of the run's own replaces a file, a link and a folder in its place", async () => {
  const outside = folderWith({ "kept.txt": "kept" });
  const workspace = folderWith({ file: "x", "folder/deep/x": "x" });
  symlinkSync(join(outside, "kept.txt"), join(workspace, "link"));
  symlinkSync(outside, join(workspace, "linked"));
  for (const name of ["new", "file", "link", "linked", "folder"]) {
    await writeOwnFile(workspace, [name], "own");
    expect(readFileSync(join(workspace, name), "utf8")).toBe("own");
  }
  expect(readFileSync(join(outside, "kept.txt"), "utf8")).toBe("kept");
});

test("a file of the run is not written through a link that is created in the meantime", async () => {
  const outside = temporaryFolder();
  const workspace = folderWith({ "skills/x": "x" });
  await swapForLink(join(workspace, "skills"), outside);
  for (let round = 0; round < 100; round += 1)
    await writeOwnFile(workspace, ["skills", `skill${round}`, "SKILL.md"], "own").catch(() => {});
  expect(readdirSync(outside)).toEqual([]);
});

test("files that are written together replace what is in their place, and all are there when one of them cannot be written", async () => {
  const outside = folderWith({ "kept.txt": "kept" });
  const workspace = folderWith({ "folder/deep/x": "x" });
  symlinkSync(join(outside, "kept.txt"), join(workspace, "link"));
  symlinkSync(outside, join(workspace, "linked"));
  const paths = [["new"], ["folder"], ["link"], ["linked", "below"], ["a", "b", "c"]];
  await writeOwnFiles(
    workspace,
    paths.map((path) => ({ path, content: path.join("/") })),
  );
  for (const path of paths) expect(readFileSync(join(workspace, ...path), "utf8")).toBe(path.join("/"));
  expect(readdirSync(outside)).toEqual(["kept.txt"]);
  expect(readFileSync(join(outside, "kept.txt"), "utf8")).toBe("kept");
  const large = new Uint8Array(8 * 1024 * 1024);
  const writing = writeOwnFiles(workspace, [
    { path: [".."], content: "x" },
    ...["one", "two"].map((name) => ({ path: [name], content: large })),
  ]);
  await expect(writing).rejects.toThrow("is a path");
  for (const name of ["one", "two"]) expect(statSync(join(workspace, name)).size).toBe(large.length);
});

test("a thing is moved to where nothing is, once, and only if it is there", async () => {
  const workspace = folderWith({ "prompt.md": "first" });
  await moveOwn(workspace, "prompt.md", ["turns", "1.md"]);
  await moveOwn(workspace, "prompt.md", ["turns", "2.md"]);
  expect(readdirSync(join(workspace, "turns"))).toEqual(["1.md"]);
  mkdirSync(join(workspace, "prompt.md"));
  await moveOwn(workspace, "prompt.md", ["turns", "1.md"]);
  expect(readFileSync(join(workspace, "turns", "1.md"), "utf8")).toBe("first");
});

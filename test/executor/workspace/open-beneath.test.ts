import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  makeFolderBeneath,
  type OpenFolder,
  openFileBeneath,
  openFolder,
  openFolderBeneath,
} from "../../../src/executor/workspace/own-file.ts";
import { onFinished } from "../../given/cleanup.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";

/** A workspace with a file in a folder, and a folder that lies outside of it. */
async function aWorkspace() {
  const outside = folderWith({ "secret.txt": "secret" });
  const path = folderWith({ "artifacts/notes.txt": "notes", "artifacts/deep/er/notes.txt": "deeper" });
  const folder = await openFolder(path);
  onFinished(folder.close);
  return { path, outside, folder };
}

async function read(folder: OpenFolder, ...names: string[]): Promise<string> {
  const file = await openFileBeneath(folder, names);
  try {
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

describe("what is opened beneath a folder", () => {
  test("is a plain file, at any depth", async () => {
    const { folder } = await aWorkspace();
    expect(await read(folder, "artifacts", "notes.txt")).toBe("notes");
    expect(await read(folder, "artifacts", "deep", "er", "notes.txt")).toBe("deeper");
  });

  test("is reached over no link, wherever in its path that lies", async () => {
    const { path, outside, folder } = await aWorkspace();
    symlinkSync(outside, join(path, "linked"));
    symlinkSync(outside, join(path, "artifacts", "linked"));
    symlinkSync(join(outside, "secret.txt"), join(path, "artifacts", "secret.txt"));
    for (const names of [["linked"], ["artifacts", "linked"], ["artifacts"]])
      await expect(read(folder, ...names, "secret.txt")).rejects.toThrow(/ELOOP|ENOTDIR/);
    await expect(openFolderBeneath(folder, ["artifacts", "linked"])).rejects.toThrow(/ENOTDIR/);
    await expect(openFolder(join(path, "linked"))).rejects.toThrow(/ENOTDIR/);
  });

  test("is not a file with another hard link, a folder or a named pipe", async () => {
    const { path, outside, folder } = await aWorkspace();
    linkSync(join(outside, "secret.txt"), join(path, "hard"));
    execFileSync("mkfifo", [join(path, "pipe")]);
    await expect(read(folder, "hard")).rejects.toThrow("hard has another hard link");
    await expect(read(folder, "pipe")).rejects.toThrow("pipe is not a plain file");
    await expect(read(folder, "artifacts")).rejects.toThrow("artifacts is not a plain file");
  });

  test("is not reached over a name that is a path", async () => {
    const { folder } = await aWorkspace();
    for (const name of ["..", ".", "", "artifacts/notes.txt"])
      await expect(read(folder, name)).rejects.toThrow("is a path");
  });

  test("stays in the folder that was opened when another one takes its place", async () => {
    const { path, outside, folder } = await aWorkspace();
    const artifacts = await openFolderBeneath(folder, ["artifacts"]);
    onFinished(artifacts.close);
    renameSync(join(path, "artifacts"), join(path, "away"));
    symlinkSync(outside, join(path, "artifacts"));
    expect(readFileSync(artifacts.at("notes.txt"), "utf8")).toBe("notes");
    await expect(read(artifacts, "secret.txt")).rejects.toThrow("ENOENT");
  });

  test("lies on the same file system", async () => {
    const folder = await openFolder("/");
    onFinished(folder.close);
    await expect(openFolderBeneath(folder, ["proc", "self"])).rejects.toThrow(
      "proc is on another file system",
    );
  });

  test("leaves no descriptor open, however it goes", async () => {
    const { path, outside, folder } = await aWorkspace();
    symlinkSync(outside, join(path, "artifacts", "linked"));
    const count = () => Number(execFileSync("sh", ["-c", `ls /proc/${process.pid}/fd | wc -l`]));
    const before = count();
    for (let round = 0; round < 20; round += 1) {
      await read(folder, "artifacts", "deep", "er", "notes.txt");
      await read(folder, "artifacts", "linked", "secret.txt").catch(() => {});
      await read(folder, "artifacts", "deep").catch(() => {});
    }
    expect(count()).toBeLessThan(before + 10);
  });
});

describe("a folder that is made beneath another one", () => {
  test("replaces links and files in its way, and nothing that they lead to", async () => {
    const outside = temporaryFolder();
    const path = folderWith({ file: "x" });
    mkdirSync(join(path, "there"));
    symlinkSync(outside, join(path, "there", "linked"));
    const folder = await openFolder(path);
    onFinished(folder.close);
    for (const names of [["there", "linked", "new"], ["file"]]) {
      const made = await makeFolderBeneath(folder, names);
      writeFileSync(made.at("own"), "own");
      await made.close();
      expect(readFileSync(join(path, ...names, "own"), "utf8")).toBe("own");
    }
    expect(execFileSync("ls", [outside]).toString()).toBe("");
  });
});

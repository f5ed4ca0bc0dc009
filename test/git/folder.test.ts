import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { folderSource, readFolder } from "../../src/git/folder.ts";
import { watchFolder } from "../../src/git/watch.ts";
import { folderWith, writeFiles } from "../given/folder.ts";

describe("a folder", () => {
  test("is read with its files, sorted, hidden ones and dependencies left out", async () => {
    const folder = folderWith({
      "b/c": "1",
      a: "2",
      ".git/HEAD": "x",
      "x/.secret": "x",
      "node_modules/y/z": "x",
    });
    const { entries } = await readFolder(folder);
    expect(entries.map(({ path, size }) => [path, size])).toEqual([
      ["a", 1],
      ["b/c", 1],
    ]);
  });

  test("has a revision that follows its content and nothing else", async () => {
    const folder = folderWith({ a: "1" });
    const source = folderSource(folder);
    const first = (await source.latest()).revision.id;
    writeFiles(folder, { ".cache/x": "1" });
    expect((await source.latest()).revision.id).toBe(first);
    writeFiles(folder, { a: "2" });
    expect((await source.latest()).revision.id).not.toBe(first);
    writeFiles(folder, { a: "1" });
    expect((await source.latest()).revision.id).toBe(first);
  });

  test("does not follow symlinks, to files or to folders", async () => {
    const folder = folderWith({ a: "1" });
    symlinkSync("/etc/passwd", join(folder, "file"));
    symlinkSync("/etc", join(folder, "folder"));
    const { entries } = await readFolder(folder);
    expect(entries.map(({ path, kind }) => [path, kind])).toEqual([
      ["a", "file"],
      ["file", "symlink"],
      ["folder", "symlink"],
    ]);
  });

  test("gives the bytes that its revision was made from, also when a file changes meanwhile", async () => {
    const folder = folderWith({ a: "before" });
    const tree = await readFolder(folder);
    writeFiles(folder, { a: "after" });
    const [entry] = tree.entries;
    expect((await tree.read(tree.entries)).get(entry?.id ?? "")?.toString()).toBe("before");
  });

  test("of more files than any definition has is not walked to its end", async () => {
    const folder = folderWith({});
    for (let index = 0; index < 21_000; index += 1) {
      if (index % 1_000 === 0) mkdirSync(join(folder, `f${index / 1_000}`));
      writeFileSync(join(folder, `f${Math.floor(index / 1_000)}`, String(index)), "");
    }
    const { entries } = await readFolder(folder);
    expect(entries.length).toBeGreaterThan(10_000);
    expect(entries.length).toBeLessThan(21_001);
  });

  test("that is not there says so", async () => {
    await expect(readFolder("/nowhere/at/all")).rejects.toMatchObject({ code: "GIT_UNREACHABLE" });
  });
});

describe("a watched folder", () => {
  test("tells of a burst of changes once, and of nothing hidden", async () => {
    const folder = folderWith({ a: "1", "webhooks/x.yaml": "1" });
    const onChange = vi.fn();
    const watcher = watchFolder(folder, onChange);
    await sleep(300);
    writeFiles(folder, { ".git/index": "1", ".millrace/db": "1" });
    await sleep(400);
    expect(onChange).not.toHaveBeenCalled();
    for (let index = 0; index < 10; index += 1)
      writeFiles(folder, { a: String(index), [`webhooks/${index}.yaml`]: "1" });
    rmSync(join(folder, "webhooks/x.yaml"));
    await vi.waitFor(() => expect(onChange).toHaveBeenCalled(), 5_000);
    await sleep(400);
    expect(onChange).toHaveBeenCalledTimes(1);
    await watcher.stop();
    writeFiles(folder, { a: "later" });
    await sleep(400);
    expect(onChange).toHaveBeenCalledTimes(1);
  });
});

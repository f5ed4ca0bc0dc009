import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { folderSource, ignoredPathsOf, readFolder } from "../../src/git/folder.ts";
import { watchFolder } from "../../src/git/watch.ts";
import { folderWith, temporaryFolder, writeFiles } from "../given/folder.ts";
import { actAsNobody } from "../given/processes.ts";

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

  test("that is moved away while it is read cannot be read, and does not count as a folder with less in it", async () => {
    const folder = folderWith({ "a/b": "1", "c/d": "2" });
    const takenAway = readFolder(folder, (path) => {
      if (path === "a/b") renameSync(folder, `${folder}-away`);
      return false;
    });
    onTestFinished(() => rmSync(`${folder}-away`, { recursive: true }));
    await expect(takenAway).rejects.toMatchObject({ code: "GIT_UNREACHABLE" });
  });

  test("shows which files are executable, which is part of its revision", async () => {
    const folder = folderWith({ a: "1", b: "1" });
    const before = await readFolder(folder);
    chmodSync(join(folder, "a"), 0o755);
    const { entries, revision } = await readFolder(folder);
    expect(entries.map(({ path, executable }) => [path, executable])).toEqual([
      ["a", true],
      ["b", undefined],
    ]);
    expect(revision.id).not.toBe(before.revision.id);
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

  test("gives the bytes that its revision was made from, also when a file has changed since", async () => {
    const folder = folderWith({ a: "before" });
    const tree = await readFolder(folder);
    writeFiles(folder, { a: "after" });
    const [entry] = tree.entries;
    expect((await tree.read(tree.entries)).get(entry?.id ?? "")?.toString()).toBe("before");
  });

  test("of more files than any definition has is not walked to its end", async () => {
    const folder = folderWith({ "f0/deeper/and/deeper/x": "1" });
    for (let index = 0; index < 21_000; index += 1) {
      if (index % 1_000 === 0) mkdirSync(join(folder, `f${index / 1_000}`), { recursive: true });
      writeFileSync(join(folder, `f${Math.floor(index / 1_000)}`, String(index)), "");
    }
    const { entries } = await readFolder(folder);
    expect(entries.length).toBeGreaterThan(10_000);
    expect(entries.map(({ path }) => path)).not.toContainEqual(expect.stringContaining("deeper"));
  });

  test("that does not exist is reported as missing", async () => {
    await expect(readFolder("/nowhere/at/all")).rejects.toMatchObject({
      code: "GIT_UNREACHABLE",
      message: "The folder /nowhere/at/all does not exist.",
    });
  });

  test("with something in it that this user may not read is reported as unreadable", async () => {
    const folder = folderWith({ a: "1", "b/c": "2" });
    chmodSync(folder, 0o755);
    chmodSync(join(folder, "b"), 0o000);
    actAsNobody();
    await expect(readFolder(folder)).rejects.toMatchObject({
      code: "GIT_UNREACHABLE",
      message: expect.stringMatching(/EACCES.*Give the server's user read access to the whole folder/),
    });
  });

  test("is read without what the server keeps in it, by whatever path that is known", async () => {
    const folder = folderWith({ a: "1", "data/db": "1", "sub/data/x": "1", "x.db": "1" });
    const link = `${temporaryFolder()}/link`;
    symlinkSync(folder, link);
    const isIgnored = ignoredPathsOf(link, [
      join(folder, "data"),
      join(folder, "x.db"),
      join(folder, "x.db-wal"),
    ]);
    writeFiles(folder, { "x.db-wal": "1" });
    const { entries } = await readFolder(link, isIgnored);
    expect(entries.map(({ path }) => path)).toEqual(["a", "sub/data/x"]);
  });
});

describe("a watched folder", () => {
  const heard = (onChange: ReturnType<typeof vi.fn>, after = 0) =>
    vi.waitFor(() => expect(onChange.mock.calls.length).toBeGreaterThan(after), 5_000);

  function watched(path: string, own: string[] = []) {
    const onChange = vi.fn();
    const onTrouble = vi.fn();
    const watcher = watchFolder(path, { isIgnored: ignoredPathsOf(path, own), onChange, onTrouble });
    onTestFinished(() => watcher.stop());
    return { watcher, onChange, onTrouble };
  }

  test("reports a burst of changes once, and no change of ignored paths", async () => {
    const folder = folderWith({ a: "1", "webhooks/x.yaml": "1" });
    const { watcher, onChange } = watched(folder, [join(folder, "data")]);
    await heard(onChange);
    onChange.mockClear();
    writeFiles(folder, { ".git/index": "1", ".millrace/db": "1", "data/db": "1" });
    await sleep(1_000);
    expect(onChange).not.toHaveBeenCalled();
    for (let index = 0; index < 10; index += 1)
      writeFiles(folder, { a: String(index), [`webhooks/${index}.yaml`]: "1" });
    rmSync(join(folder, "webhooks/x.yaml"));
    await vi.waitFor(() => expect(onChange).toHaveBeenCalled(), 5_000);
    await sleep(1_000);
    expect(onChange).toHaveBeenCalledTimes(1);
    await watcher.stop();
    writeFiles(folder, { a: "later" });
    await sleep(1_000);
    expect(onChange).toHaveBeenCalledTimes(1);
  });

  test("reports once that the watch has begun: what was saved before that was not reported", async () => {
    const { onChange } = watched(folderWith({ a: "1" }));
    await heard(onChange);
    await sleep(1_000);
    expect(onChange).toHaveBeenCalledTimes(1);
  });

  test.each([
    [
      "is moved away and back",
      async (folder: string, gone: () => Promise<void>) => {
        renameSync(folder, `${folder}-away`);
        await gone();
        renameSync(`${folder}-away`, folder);
      },
    ],
    [
      "is removed and immediately made again",
      async (folder: string) => {
        rmSync(folder, { recursive: true });
        writeFiles(folder, { a: "1" });
      },
    ],
  ])("that %s is still watched", async (_, replace) => {
    const folder = folderWith({ a: "1" });
    const { onChange } = watched(folder);
    await heard(onChange);
    onChange.mockClear();
    await replace(folder, () => heard(onChange));
    await sleep(1_600);
    onChange.mockClear();
    writeFiles(folder, { a: "2" });
    await heard(onChange);
  });

  test("may be named by a link, and by another one later", async () => {
    const [one, other] = [folderWith({ a: "1" }), folderWith({ a: "2" })];
    const link = join(temporaryFolder(), "link");
    symlinkSync(one, link);
    const { onChange } = watched(link);
    await heard(onChange);
    for (const target of [one, other]) {
      rmSync(link);
      symlinkSync(target, link);
      await sleep(1_600);
      onChange.mockClear();
      writeFiles(target, { a: "3" });
      await heard(onChange);
    }
  });

  test("that does not exist yet is watched once it does", async () => {
    const folder = join(temporaryFolder(), "later");
    const { onChange } = watched(folder);
    await sleep(300);
    expect(onChange).not.toHaveBeenCalled();
    writeFiles(folder, { a: "1" });
    await heard(onChange);
  });
});

import {
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { repositorySource } from "../../src/git/repository.ts";
import type { Source, Tree } from "../../src/git/revision.ts";
import { temporaryFolder } from "../given/folder.ts";
import { emptyRepository, repositoryAt, repositoryWith, runGit, spyOnGit } from "../given/repository.ts";
import { NOBODY } from "../given/sandbox-of.ts";

function sourceOf(url: string, options: { branch?: string; path?: string; gitFolder?: string } = {}): Source {
  const gitFolder = options.gitFolder ?? join(temporaryFolder(), "git");
  return repositorySource({
    url,
    branch: options.branch ?? "main",
    path: options.path ?? ".",
    access: {},
    gitFolder,
  });
}

async function contentOf(tree: Tree, path: string): Promise<string | undefined> {
  const entry = tree.entries.find((candidate) => candidate.path === path);
  return entry && (await tree.read([entry])).get(entry.id)?.toString();
}

async function readAt({ at }: Source, ref: string): Promise<Tree> {
  if (!at) throw new Error("The source has only one revision.");
  return at({ ref });
}

const failure = (source: Source) =>
  source.latest().then(
    () => "nothing failed",
    (error) => error.code,
  );

describe("a repository", () => {
  test("is read at the tip of its production branch", async () => {
    const repository = repositoryWith({ "factory.yaml": "one\n" });
    const source = sourceOf(repository.url);
    const first = await source.latest();
    expect(first.revision).toEqual({
      id: repository.git("rev-parse", "HEAD"),
      author: "Ann <ann@example.com>",
      message: "Begin",
    });
    expect(await contentOf(first, "factory.yaml")).toBe("one\n");

    const commit = repository.push({ "factory.yaml": "two\n" }, { message: "Change it" });
    const second = await source.latest();
    expect(second.revision.id).toBe(commit);
    expect(await contentOf(second, "factory.yaml")).toBe("two\n");
  });

  test("is read, also as it was, when its hashes are those of SHA-256", async () => {
    const repository = repositoryWith({ "factory.yaml": "one\n" }, "sha256");
    const first = repository.git("rev-parse", "HEAD");
    expect(first).toHaveLength(64);
    // Nothing has made a mirror before.
    expect(await contentOf(await readAt(sourceOf(repository.url), first), "factory.yaml")).toBe("one\n");
    const source = sourceOf(repository.url);
    expect((await source.latest()).revision.id).toBe(first);
    const second = repository.push({ "factory.yaml": "two\n" });
    expect(await contentOf(await source.latest(), "factory.yaml")).toBe("two\n");
    expect(await contentOf(await source.past(first), "factory.yaml")).toBe("one\n");
    expect(await source.contains(second, first.slice(0, 12))).toBe(true);
  });

  test.each(["sha1", "sha256"] as const)("that was replaced by one of %s is read", async (format) => {
    const before = repositoryWith({ "factory.yaml": "one\n" }, format === "sha1" ? "sha256" : "sha1");
    const source = sourceOf(before.url);
    await source.latest();
    rmSync(before.url, { recursive: true });
    const after = repositoryAt(before.url, format);
    const commit = after.push({ "factory.yaml": "two\n" });
    const tree = await source.latest();
    expect(tree.revision.id).toBe(commit);
    expect(await contentOf(tree, "factory.yaml")).toBe("two\n");
  });

  test("is read when it belongs to another user, bare or with files", async () => {
    const repository = repositoryWith({ "factory.yaml": "one\n" });
    const folder = temporaryFolder();
    runGit(folder, "clone", "--quiet", repository.url, "with-files");
    for (const path of [repository.url, join(folder, "with-files")]) {
      // Only root can give files to somebody else.
      if (process.getuid?.() === 0) {
        for (const name of ["", ...readdirSync(path, { recursive: true, encoding: "utf8" })])
          lchownSync(join(path, name), NOBODY.uid, NOBODY.gid);
        expect(() => runGit("/", "ls-remote", path)).toThrow("dubious ownership");
      }
      for (const url of [path, `file://${path}`])
        expect(await contentOf(await sourceOf(url).latest(), "factory.yaml")).toBe("one\n");
    }
  });

  test("is read from another branch and a folder in it", async () => {
    const repository = repositoryWith({ "deploy/factory/factory.yaml": "deep\n", "other.txt": "x" });
    repository.push({}, { branch: "live" });
    const tree = await sourceOf(repository.url, { branch: "live", path: "deploy/factory" }).latest();
    expect(tree.entries.map(({ path }) => path)).toEqual(["factory.yaml"]);
  });

  test("that has not changed is not read again", async () => {
    const repository = repositoryWith({ "factory.yaml": "one\n" });
    const source = sourceOf(repository.url);
    expect(await source.latest()).toBe(await source.latest());
  });

  test("is followed through a forced push", async () => {
    const repository = repositoryWith({ a: "1" });
    const first = repository.git("rev-parse", "HEAD");
    repository.push({ a: "2" });
    const source = sourceOf(repository.url);
    await source.latest();
    repository.reset(first);
    const rewritten = repository.push({ a: "3" }, { force: true });
    const tree = await source.latest();
    expect(tree.revision.id).toBe(rewritten);
    expect(await contentOf(tree, "a")).toBe("3");
  });

  test("whose branch is deleted reports that, and recovers when the branch is back", async () => {
    const repository = repositoryWith({ a: "1" });
    repository.push({}, { branch: "other" });
    const source = sourceOf(repository.url);
    await source.latest();
    runGit(repository.url, "update-ref", "-d", "refs/heads/main");
    await expect(source.latest()).rejects.toThrow(/has no branch "main" \(it has other\)/);
    expect(await failure(source)).toBe("GIT_BRANCH_MISSING");
    const commit = repository.push({ a: "2" });
    expect((await source.latest()).revision.id).toBe(commit);
  });

  test("that is empty is reported as empty", async () => {
    const source = sourceOf(emptyRepository().url);
    await expect(source.latest()).rejects.toThrow(/is empty: push a commit/);
    expect(await failure(source)).toBe("GIT_BRANCH_MISSING");
  });

  test("that does not exist is reported as missing, and recovers when it is back", async () => {
    const repository = repositoryWith({ a: "1" });
    const source = sourceOf(repository.url);
    await source.latest();
    renameSync(repository.url, `${repository.url}.away`);
    expect(await failure(source)).toBe("GIT_UNREACHABLE");
    renameSync(`${repository.url}.away`, repository.url);
    expect((await source.latest()).entries).toHaveLength(1);
  });

  test("without the folder of the definition reports that", async () => {
    const repository = repositoryWith({ a: "1" });
    expect(await failure(sourceOf(repository.url, { path: "deploy" }))).toBe("GIT_PATH_MISSING");
    expect(await failure(sourceOf(repository.url, { path: "a" }))).toBe("GIT_PATH_MISSING");
  });

  test("that is shallow is read like any other", async () => {
    const repository = repositoryWith({ a: "1" });
    repository.push({ a: "2" });
    repository.push({ a: "3" });
    const shallow = join(temporaryFolder(), "shallow.git");
    runGit("/", "clone", "--quiet", "--bare", "--depth=1", `file://${repository.url}`, shallow);
    expect(await contentOf(await sourceOf(shallow).latest(), "a")).toBe("3");
  });

  test("shows symlinks and submodules for what they are", async () => {
    const library = repositoryWith({ x: "1" });
    const repository = repositoryWith({ a: "1" });
    const clone = repository.git("rev-parse", "--show-toplevel");
    symlinkSync("/etc/passwd", join(clone, "link"));
    repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.url, "vendor");
    repository.push({});
    const tree = await sourceOf(repository.url).latest();
    const kinds = Object.fromEntries(tree.entries.map(({ path, kind }) => [path, kind]));
    expect(kinds).toEqual({ ".gitmodules": "file", a: "file", link: "symlink", vendor: "submodule" });
  });

  test("gives the size of a large file without reading it, and bytes as they are", async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 10, 0]);
    const repository = repositoryWith({
      big: Buffer.alloc(10_000_000, "x"),
      bytes,
      "name with\ttab and \u00fc": "y",
    });
    const tree = await sourceOf(repository.url).latest();
    expect(tree.entries.map(({ path, size }) => [path, size])).toEqual([
      ["big", 10_000_000],
      ["bytes", 6],
      ["name with\ttab and \u00fc", 1],
    ]);
    const entry = tree.entries[1];
    if (!entry) throw new Error("no entry");
    expect((await tree.read([entry])).get(entry.id)).toEqual(bytes);
  });

  test("reads two thousand files with one process", async () => {
    const spy = spyOnGit();
    vi.stubEnv("PATH", spy.path);
    onTestFinished(() => void vi.unstubAllEnvs());
    const files = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [`f/${index}`, `content ${index}\n`]),
    );
    const tree = await sourceOf(repositoryWith(files).url).latest();
    const contents = await tree.read(tree.entries);
    expect(
      tree.entries.every(({ path, id }) => contents.get(id)?.toString() === `content ${path.slice(2)}\n`),
    ).toBe(true);
    expect(spy.calls().filter((call) => /^(cat-file|show)/.test(call))).toEqual(["cat-file --batch"]);
  });

  test("is mirrored again when a crash has damaged the mirror", async () => {
    const repository = repositoryWith({ a: "1" });
    const gitFolder = join(temporaryFolder(), "git");
    await sourceOf(repository.url, { gitFolder }).latest();
    const mirror = join(gitFolder, readdirSync(gitFolder).find((name) => name.endsWith(".git")) ?? "");
    mkdirSync(join(mirror, "refs/millrace"), { recursive: true });
    writeFileSync(join(mirror, "refs/millrace/tip.lock"), "");
    repository.push({ a: "2" });
    expect(await contentOf(await sourceOf(repository.url, { gitFolder }).latest(), "a")).toBe("2");

    rmSync(join(mirror, "objects"), { recursive: true });
    repository.push({ a: "3" });
    expect(await contentOf(await sourceOf(repository.url, { gitFolder }).latest(), "a")).toBe("3");
  });

  test("is not mirrored again just because it is empty or its name reads like an error", async () => {
    const repository = repositoryWith({ a: "1" });
    const gitFolder = join(temporaryFolder(), "git");
    const corrupt = join(temporaryFolder(), "corrupt bad object is empty.git");
    renameSync(repository.url, corrupt);
    const source = sourceOf(corrupt, { gitFolder });
    await source.latest();
    const witness = join(
      gitFolder,
      readdirSync(gitFolder).find((name) => name.endsWith(".git")) ?? "",
      "witness",
    );
    writeFileSync(witness, "");

    runGit(corrupt, "update-ref", "-d", "refs/heads/main");
    await expect(source.latest()).rejects.toThrow(/is empty: push a commit/);
    renameSync(corrupt, `${corrupt}.away`);
    expect(await failure(source)).toBe("GIT_UNREACHABLE");
    expect(existsSync(witness)).toBe(true);
  });

  test("is read from two folders at the same time by two factories, of which one finds its mirror damaged", async () => {
    const repository = repositoryWith({ "a/x": "1", "b/x": "1" });
    const gitFolder = join(temporaryFolder(), "git");
    const a = sourceOf(repository.url, { gitFolder, path: "a" });
    await a.latest();
    const [mirrorOfA = ""] = readdirSync(gitFolder).filter((name) => name.endsWith(".git"));
    const b = sourceOf(repository.url, { gitFolder, path: "b" });
    const treeOfB = await b.latest();

    repository.push({ "a/x": "2", "b/x": "2" });
    mkdirSync(join(gitFolder, mirrorOfA, "refs/millrace"), { recursive: true });
    writeFileSync(join(gitFolder, mirrorOfA, "refs/millrace/tip.lock"), "");
    const [again] = await Promise.all([a.latest(), b.latest()]);
    expect(await contentOf(again, "x")).toBe("2");
    expect(await contentOf(treeOfB, "x")).toBe("1");
  });

  test("whose branch gives way to one below its name is read from there", async () => {
    const repository = repositoryWith({ a: "1" });
    const gitFolder = join(temporaryFolder(), "git");
    repository.push({ a: "2" }, { branch: "release" });
    await sourceOf(repository.url, { gitFolder, branch: "release" }).latest();
    runGit(repository.url, "update-ref", "-d", "refs/heads/release");
    repository.push({ a: "3" }, { branch: "release/1.0" });
    const tree = await sourceOf(repository.url, { gitFolder, branch: "release/1.0" }).latest();
    expect(await contentOf(tree, "a")).toBe("3");
  });

  test("runs none of the hooks that it brings", async () => {
    const witness = join(temporaryFolder(), "hook-ran");
    const repository = repositoryWith({ a: "1" });
    for (const hook of [
      "post-checkout",
      "post-update",
      "reference-transaction",
      "pre-receive",
      "uploadpack",
    ]) {
      const path = join(repository.url, "hooks", hook);
      mkdirSync(join(repository.url, "hooks"), { recursive: true });
      writeFileSync(path, `#!/bin/sh\ntouch ${witness}\n`, { mode: 0o755 });
    }
    runGit(repository.url, "config", "uploadpack.packObjectsHook", `touch ${witness};`);
    await sourceOf(repository.url).latest();
    expect(existsSync(witness)).toBe(false);
  });

  test.each(["ext::sh -c 'touch WITNESS'", "--upload-pack=touch WITNESS", "fd::7"])(
    "at %s is not read",
    async (url) => {
      const witness = join(temporaryFolder(), "ran");
      expect(await failure(sourceOf(url.replace("WITNESS", witness)))).toMatch(/^GIT_/);
      expect(existsSync(witness)).toBe(false);
    },
  );
});

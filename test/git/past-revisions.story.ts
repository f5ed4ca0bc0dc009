import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderSource } from "../../src/git/folder.ts";
import { repositorySource } from "../../src/git/repository.ts";
import type { Tree } from "../../src/git/revision.ts";
import { folderWith, temporaryFolder, writeFiles } from "../given/folder.ts";
import { type Repository, repositoryWith, runGit } from "../given/repository.ts";

function sourceOf(repository: Repository) {
  const gitFolder = join(temporaryFolder(), "git");
  const source = repositorySource({ url: repository.url, branch: "main", path: ".", access: {}, gitFolder });
  const mirror = () => join(gitFolder, readdirSync(gitFolder).find((name) => name.endsWith(".git")) ?? "");
  return { source, mirror };
}

async function read(tree: Tree, path = "a"): Promise<string | undefined> {
  const entry = tree.entries.find((candidate) => candidate.path === path);
  return entry && (await tree.read([entry])).get(entry.id)?.toString();
}

const codeOf = (promise: Promise<unknown>) => promise.then(String, (error) => error.code);

describe("an earlier revision of a repository", () => {
  test("is read as it was, with its author and its message, while the remote is away", async () => {
    const repository = repositoryWith({ a: "1" });
    const first = repository.git("rev-parse", "HEAD");
    const { source } = sourceOf(repository);
    await source.latest();
    repository.push({ a: "2" });
    await source.latest();
    renameSync(repository.url, `${repository.url}-away`);
    const tree = await source.past(first);
    expect(tree.revision).toEqual({ id: first, author: "Ann <ann@example.com>", message: "Begin" });
    expect(await read(tree)).toBe("1");
  });

  test("stays when a forced push has taken it out of the branch, and git has collected its garbage", async () => {
    const repository = repositoryWith({ a: "1" });
    const first = repository.git("rev-parse", "HEAD");
    const { source, mirror } = sourceOf(repository);
    const lost = repository.push({ a: "2" });
    await source.latest();
    repository.reset(first);
    repository.push({ a: "3" }, { force: true });
    await source.latest();
    runGit(mirror(), "gc", "--quiet", "--prune=now");
    runGit(repository.url, "gc", "--quiet", "--prune=now");
    expect(await read(await source.past(lost))).toBe("2");
  });

  test("is fetched from the remote when the mirror was made again; one that no longer exists is reported", async () => {
    const repository = repositoryWith({ a: "1" });
    const first = repository.git("rev-parse", "HEAD");
    const second = repository.push({ a: "2" });
    const { source, mirror } = sourceOf(repository);
    await source.latest();
    repository.push({ a: "3" });
    repository.reset(first);
    const third = repository.push({ a: "4" }, { force: true });
    runGit(repository.url, "gc", "--quiet", "--prune=now");
    rmSync(mirror(), { recursive: true });
    expect(await read(await source.past(first))).toBe("1");
    expect(await codeOf(source.past(second))).toBe("GIT_REVISION_MISSING");
    expect(await read(await source.past(third))).toBe("4");
  });

  test("contains the commits before it, by their hashes or the beginnings of them, and no other", async () => {
    const repository = repositoryWith({ a: "1" });
    const first = repository.git("rev-parse", "HEAD");
    const second = repository.push({ a: "2" });
    const { source } = sourceOf(repository);
    await source.latest();
    expect(await source.contains(second, first)).toBe(true);
    expect(await source.contains(second, first.slice(0, 9))).toBe(true);
    expect(await source.contains(second, second.slice(0, 9))).toBe(true);
    expect(await source.contains(first, second)).toBe(false);
    expect(await source.contains(second, "f".repeat(40))).toBe(false);
    expect(await source.contains(second, "--all")).toBe(false);
  });
});

test("a folder has the revision that it holds, and no earlier one", async () => {
  const folder = folderWith({ a: "1" });
  const source = folderSource(folder);
  const { revision } = await source.latest();
  expect(await read(await source.past(revision.id))).toBe("1");
  writeFiles(folder, { a: "2" });
  expect(await codeOf(source.past(revision.id))).toBe("GIT_REVISION_MISSING");
  expect(await source.contains(revision.id, revision.id.slice(0, 12))).toBe(true);
});

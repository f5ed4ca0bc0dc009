import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { GitAccess } from "../../../src/git/git-environment.ts";
import type { CloneOptions, Mirror } from "../../../src/git/mirrors/mirror.ts";
import { createMirrorCache } from "../../../src/git/mirrors/mirror-cache.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { serveOverHttp } from "../../given/git-http.ts";
import {
  emptyRepository,
  filesWithoutEnd,
  rawObjects,
  repositoryWith,
  runGit,
  spyOnGit,
} from "../../given/repository.ts";
import { sshHost } from "../../given/sshd.ts";

const TOKEN = "t0ken-that-must-not-be-seen";
const never = () => new AbortController().signal;

function mirrorOf(url: string, access: GitAccess = {}, gitFolder = join(temporaryFolder(), "git")) {
  const mirror = createMirrorCache(gitFolder).of({
    forge: "home",
    url,
    access,
    tokenIn: "the forge's token",
  });
  return { mirror, gitFolder };
}

async function cloned(mirror: Mirror, options: CloneOptions = {}): Promise<string> {
  const into = join(temporaryFolder(), "shop");
  await mirror.refresh(never());
  await mirror.clone(into, never(), options);
  return into;
}

function everything(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

test("a clone is on the default branch of the remote, with its branches, its tags and itself as the origin", async () => {
  const repository = repositoryWith({ a: "1" });
  repository.git("tag", "v1");
  repository.git("push", "--quiet", "origin", "v1");
  repository.push({ a: "2" }, { branch: "trunk" });
  runGit(repository.url, "symbolic-ref", "HEAD", "refs/heads/trunk");
  const { mirror, gitFolder } = mirrorOf(repository.url);
  const clone = await cloned(mirror);
  expect(readFileSync(join(clone, "a"), "utf8")).toBe("2");
  expect(runGit(clone, "branch", "--show-current")).toBe("trunk");
  expect(runGit(clone, "branch", "--remotes", "--format=%(refname)").split("\n")).toEqual(
    expect.arrayContaining(["refs/remotes/origin/main", "refs/remotes/origin/trunk"]),
  );
  expect(runGit(clone, "tag")).toBe("v1");
  expect(runGit(clone, "remote", "--verbose")).toBe(
    `origin\t${repository.url} (fetch)\norigin\t${repository.url} (push)`,
  );
  expect(everything(clone)).not.toContain(gitFolder);
});

test("a clone of a repository with SHA-256 is checked out at a commit, and a snapshot can be cloned", async () => {
  const repository = repositoryWith({ a: "1" }, "sha256");
  const first = repository.git("rev-parse", "HEAD");
  repository.push({ a: "2" });
  const { mirror, gitFolder } = mirrorOf(repository.url);
  expect(readFileSync(join(await cloned(mirror), "a"), "utf8")).toBe("2");
  for (const [name, objects] of [
    ["whole", undefined],
    ["shared", join(gitFolder, "objects")],
  ] as const) {
    const into = join(temporaryFolder(), name);
    const checkout = await mirror.find(name === "whole" ? first : first.slice(0, 12), never());
    expect(await mirror.clone(into, never(), { checkout, objects })).toEqual({
      commit: first,
      hasMoved: false,
    });
    expect(readFileSync(join(into, "a"), "utf8")).toBe("1");
  }
  const snapshot = join(gitFolder, "snapshot.git");
  await mirror.snapshot(snapshot, never());
  expect(runGit(snapshot, "rev-parse", "main")).toBe(repository.git("rev-parse", "HEAD"));
});

test("a clone has what was pushed before it was asked for, also by force", async () => {
  const repository = repositoryWith({ a: "1" });
  const { mirror } = mirrorOf(repository.url);
  const first = repository.git("rev-parse", "HEAD");
  repository.push({ a: "2" });
  await cloned(mirror);
  repository.reset(first);
  repository.push({ a: "3" }, { force: true });
  expect(readFileSync(join(await cloned(mirror), "a"), "utf8")).toBe("3");
});

test("a clone of an empty repository is empty", async () => {
  const clone = await cloned(mirrorOf(emptyRepository().url).mirror);
  expect(readdirSync(clone)).toEqual([".git"]);
});

test("a token opens a private repository, and is in neither the clone nor the mirror nor an argument", async () => {
  const host = await serveOverHttp(repositoryWith({ a: "1" }).url, TOKEN);
  const spy = spyOnGit();
  const { PATH } = process.env;
  process.env.PATH = spy.path;
  onTestFinished(() => {
    process.env.PATH = PATH;
  });
  const { mirror, gitFolder } = mirrorOf(host.url, { token: async () => TOKEN });
  const clone = await cloned(mirror);
  expect(readFileSync(join(clone, "a"), "utf8")).toBe("1");
  expect(everything(clone) + everything(gitFolder) + spy.calls().join("\n")).not.toContain(TOKEN);
  expect(runGit(clone, "config", "remote.origin.url")).toBe(host.url);
});

test("a refused token, and a remote that is gone, are reported although a mirror exists", async () => {
  const repository = repositoryWith({ a: "1" });
  const host = await serveOverHttp(repository.url, TOKEN);
  const { mirror } = mirrorOf(host.url, { token: async () => TOKEN });
  await cloned(mirror);
  host.token = "rotated";
  await expect(mirror.refresh(never())).rejects.toThrow("check the forge's token");
  host.token = TOKEN;
  rmSync(repository.url, { recursive: true });
  await expect(mirror.refresh(never())).rejects.toThrow("The repository does not exist");
});

test("an ssh key opens a repository", async () => {
  const host = await sshHost();
  const access = { sshKeyFile: host.deployKey, knownHostsFile: host.knownHosts };
  const clone = await cloned(mirrorOf(host.urlOf(repositoryWith({ a: "1" }).url), access).mirror);
  expect(readFileSync(join(clone, "a"), "utf8")).toBe("1");
});

test("many clones at the same time cost few requests and one fetch, and what is known is not fetched again", async () => {
  const repository = repositoryWith({ a: "1" });
  const spy = spyOnGit();
  const { PATH } = process.env;
  process.env.PATH = spy.path;
  onTestFinished(() => {
    process.env.PATH = PATH;
  });
  const { mirror } = mirrorOf(repository.url);
  const clones = await Promise.all(Array.from({ length: 8 }, () => cloned(mirror)));
  expect(clones.every((clone) => existsSync(join(clone, "a")))).toBe(true);
  await cloned(mirror);
  const count = (command: string) => spy.calls().filter((call) => call.startsWith(command)).length;
  expect([count("fetch"), count("clone")]).toEqual([1, 9]);
  expect(count("ls-remote")).toBeLessThanOrEqual(3);
});

test("a clone shares no file with the mirror, so that writing to it cannot change the next one", async () => {
  const { mirror } = mirrorOf(repositoryWith({ a: "1" }).url);
  const clone = await cloned(mirror);
  const objects = join(clone, ".git", "objects", "pack");
  expect(readdirSync(objects).map((name) => statSync(join(objects, name)).nlink)).not.toContain(2);
  expect(existsSync(join(clone, ".git", "objects", "info", "alternates"))).toBe(false);
});

test("a damaged mirror is made again", async () => {
  const repository = repositoryWith({ a: "1" });
  const { mirror, gitFolder } = mirrorOf(repository.url);
  await cloned(mirror);
  const [name = ""] = readdirSync(join(gitFolder, "mirrors"));
  const packs = join(gitFolder, "mirrors", name, "objects", "pack");
  for (const pack of readdirSync(packs)) {
    rmSync(join(packs, pack));
    writeFileSync(join(packs, pack), "");
  }
  repository.push({ a: "2" });
  expect(readFileSync(join(await cloned(mirror), "a"), "utf8")).toBe("2");
});

test("hooks, filters and submodules of a repository are ignored", async () => {
  const inner = repositoryWith({ b: "1" });
  const repository = repositoryWith({ a: "1", ".gitattributes": "*.bin filter=lfs\n", "x.bin": "pointer" });
  repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.url, "inner");
  repository.push({ ".githooks/post-checkout": "#!/bin/sh\ntouch ran\n" });
  const clone = await cloned(mirrorOf(repository.url).mirror);
  expect(readdirSync(join(clone, "inner"))).toEqual([]);
  expect(existsSync(join(clone, "ran"))).toBe(false);
  expect(existsSync(join(clone, ".git", "hooks"))).toBe(false);
  expect(readFileSync(join(clone, "x.bin"), "utf8")).toBe("pointer");
});

test("a cancelled fetch ends, and the next one succeeds", async () => {
  const repository = repositoryWith({ a: "1".repeat(100_000) });
  const host = await serveOverHttp(repository.url, TOKEN);
  host.pieceEvery = { bytes: 20, milliseconds: 1_000 };
  const { mirror } = mirrorOf(host.url, { token: async () => TOKEN });
  const cancel = new AbortController();
  const waiting = mirror.refresh(cancel.signal);
  setTimeout(() => cancel.abort(new Error("cancelled")), 300);
  await expect(waiting).rejects.toThrow("cancelled");
  delete host.pieceEvery;
  expect(readFileSync(join(await cloned(mirror), "a"), "utf8")).toHaveLength(100_000);
});

test("a commit with more files than git can take into its memory is not checked out, and others of its repository are", async () => {
  const repository = repositoryWith({ a: "1" });
  const files = filesWithoutEnd(rawObjects(repository));
  rawObjects(repository).commit(files, "refs/heads/fix");
  const { mirror } = mirrorOf(repository.url);
  expect(readFileSync(join(await cloned(mirror), "a"), "utf8")).toBe("1");
  const checkout = { ref: "refs/heads/fix", branch: "fix" };
  const refused = { code: "GIT_REFUSED", message: expect.stringMatching(/more than 1000000 files/) };
  await expect(cloned(mirror, { checkout })).rejects.toMatchObject(refused);
  rawObjects(repository).commit(files, "refs/heads/main");
  await expect(cloned(mirror)).rejects.toMatchObject(refused);
});

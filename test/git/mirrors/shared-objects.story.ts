import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Checkout } from "../../../src/git/checkout.ts";
import { createMirrorCache } from "../../../src/git/mirrors/mirror-cache.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { emptyRepository, type Repository, repositoryWith, runGit } from "../../given/repository.ts";

const never = () => new AbortController().signal;

/** A mirror, and clones of it that share its objects. */
function sharing(repository: Repository) {
  const folder = temporaryFolder();
  const gitFolder = join(folder, "git");
  const mirror = createMirrorCache(gitFolder).of({
    url: repository.url,
    access: {},
    forge: "home",
    tokenIn: "the token",
  });
  return {
    folder,
    /** Where the mirror is. */
    path: () => join(gitFolder, "mirrors", readdirSync(join(gitFolder, "mirrors"))[0] ?? ""),
    async clone(name: string, objects = join(folder, `${name}.objects`), checkout?: Checkout) {
      const into = join(folder, name);
      await mirror.refresh(never());
      if (checkout?.ref !== undefined) await mirror.fetchRef(checkout.ref, never());
      await mirror.clone(into, never(), { objects, checkout });
      return { clone: into, objects, git: (...args: string[]) => runGit(into, ...args) };
    },
  };
}

const alternatesOf = (clone: string) => join(clone, ".git", "objects", "info", "alternates");

test("a clone has no objects of its own, and names the folder where it shares them, not the mirror's", async () => {
  const { clone, path } = sharing(repositoryWith({ a: "1" }));
  const made = await clone("shop");
  expect(readFileSync(alternatesOf(made.clone), "utf8")).toBe(`${made.objects}\n`);
  expect(made.git("count-objects", "-v")).toMatch(/^count: 0\n(.*\n)*packs: 0$/m);
  expect(made.git("status", "--porcelain")).toBe("");
  const packs = readdirSync(join(path(), "objects", "pack")).sort();
  expect(readdirSync(join(made.objects, "pack")).sort()).toEqual(packs);
  for (const name of packs) {
    const { ino, mode } = statSync(join(made.objects, "pack", name));
    expect([ino, mode & 0o777]).toEqual([statSync(join(path(), "objects", "pack", name)).ino, 0o444]);
  }
});

test("a clone at the head of a pull request shares its objects too", async () => {
  const repository = repositoryWith({ a: "1" });
  const commit = repository.push({ a: "2" }, { branch: "topic", message: "Proposed" });
  runGit(repository.url, "update-ref", "refs/pull/7/head", commit);
  runGit(repository.url, "update-ref", "-d", "refs/heads/topic");
  const { git } = await sharing(repository).clone("shop", undefined, {
    ...{ ref: "refs/pull/7/head", commit, branch: "pull/7" },
  });
  expect(git("log", "-1", "--format=%s", "pull/7")).toBe("Proposed");
  expect(git("count-objects", "-v")).toMatch(/^count: 0\n(.*\n)*packs: 0$/m);
});

test("whatever becomes of the mirror, a clone keeps every object that it began with", async () => {
  const repository = repositoryWith({ a: "1" });
  const begin = repository.git("rev-parse", "HEAD");
  repository.push({ a: "lost" }, { message: "Lost" });
  const { clone, path } = sharing(repository);
  const first = await clone("first");
  repository.reset(begin);
  repository.push({ a: "2" }, { force: true, message: "Forced" });
  const second = await clone("second");
  rmSync(join(path(), "logs"), { recursive: true });
  runGit(path(), "gc", "--quiet", "--prune=now");
  const third = await clone("third");
  // A crash has left a lock: the mirror is made anew.
  writeFileSync(join(path(), "of-the-first-mirror"), "");
  writeFileSync(join(path(), "refs", "heads", "main.lock"), "");
  repository.push({ a: "3" }, { message: "After the damage" });
  const fourth = await clone("fourth");
  expect(existsSync(join(path(), "of-the-first-mirror"))).toBe(false);
  rmSync(path(), { recursive: true });
  const subjects = [first, second, third, fourth].map(({ git }) => {
    git("fsck", "--no-progress");
    return git("log", "-1", "--format=%s");
  });
  expect(subjects).toEqual(["Lost", "Forced", "Forced", "After the damage"]);
});

test("a clone whose objects cannot have second names, because they are to lie on another volume, has copies", async () => {
  const volume = mkdtempSync("/dev/shm/millrace-test-");
  onTestFinished(() => rmSync(volume, { recursive: true }));
  const { clone, path } = sharing(repositoryWith({ a: "1" }));
  const { clone: copy, git } = await clone("shop", join(volume, "objects"));
  expect([existsSync(alternatesOf(copy)), readdirSync(volume)]).toEqual([false, []]);
  rmSync(path(), { recursive: true });
  expect(git("log", "-1", "--format=%s")).toBe("Begin");
});

test("a clone of an empty repository shares nothing, and works", async () => {
  const { git } = await sharing(emptyRepository()).clone("shop");
  git("commit", "--quiet", "--allow-empty", "--message=First");
  expect(git("log", "--format=%s")).toBe("First");
});

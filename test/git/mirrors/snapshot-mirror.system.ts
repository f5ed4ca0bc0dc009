import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createMirrorCache } from "../../../src/git/mirrors/mirror-cache.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { repositoryWith, runGit } from "../../given/repository.ts";

const never = () => new AbortController().signal;

function mirrored() {
  const repository = repositoryWith({ a: "1" });
  const gitFolder = join(temporaryFolder(), "git");
  const mirror = createMirrorCache(gitFolder).of({
    ...{ forge: "home", url: repository.url, access: {}, tokenIn: "the token" },
  });
  const path = () => join(gitFolder, "mirrors", readdirSync(join(gitFolder, "mirrors"))[0] ?? "");
  return { repository, mirror, path };
}

test("a snapshot stays as it is when its mirror gets a forced push, is packed again and is removed", async () => {
  const { repository, mirror, path } = mirrored();
  const first = repository.git("rev-parse", "HEAD");
  const second = repository.push({ a: "2" });
  await mirror.refresh(never());
  const snapshot = join(temporaryFolder(), "snapshot.git");
  await mirror.snapshot(snapshot, never());
  repository.reset(first);
  repository.push({ a: "3" }, { force: true });
  await mirror.refresh(never());
  runGit(path(), "-c", "gc.reflogExpireUnreachable=now", "gc", "--quiet", "--prune=now");
  rmSync(path(), { recursive: true });
  expect(runGit(snapshot, "rev-parse", "HEAD")).toBe(second);
  expect(runGit(snapshot, "show", "main:a")).toBe("2");
  runGit(snapshot, "fsck", "--strict");
});

test("a snapshot has the refs of the remote by the names of the remote", async () => {
  const { repository, mirror } = mirrored();
  const commit = repository.git("rev-parse", "HEAD");
  runGit(repository.url, "update-ref", "refs/pull/7/head", commit);
  await mirror.refresh(never());
  await mirror.fetchRef("refs/pull/7/head", never());
  const snapshot = join(temporaryFolder(), "snapshot.git");
  await mirror.snapshot(snapshot, never());
  expect(runGit(snapshot, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\nrefs/pull/7/head");
});

test("a snapshot on another volume reads the objects of the mirror", async () => {
  const { mirror } = mirrored();
  await mirror.refresh(never());
  const folder = mkdtempSync("/dev/shm/millrace-snapshot-");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await mirror.snapshot(join(folder, "snapshot.git"), never());
  expect(runGit(join(folder, "snapshot.git"), "show", "main:a")).toBe("1");
});

test("a mirror that was never fetched has no snapshot", async () => {
  const { mirror } = mirrored();
  await expect(mirror.snapshot(join(temporaryFolder(), "snapshot.git"), never())).rejects.toThrow(
    "could not read",
  );
});

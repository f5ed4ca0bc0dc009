import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createMirrorCache, removeUnusedMirrors } from "../../../src/git/mirrors/mirror-cache.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { repositoryWith } from "../../given/repository.ts";

const never = () => new AbortController().signal;
const HOUR_MS = 3_600_000;
const fromNow = (ms: number) => new Date(Date.now() + ms);

/** A mirror that was used just now, and a way to let it look as if that were long ago. */
async function usedMirror() {
  const repository = repositoryWith({ a: "1" });
  const gitFolder = join(temporaryFolder(), "git");
  const cache = createMirrorCache(gitFolder);
  const mirror = cache.of({ forge: "home", url: repository.url, access: {}, tokenIn: "the forge's token" });
  await mirror.refresh(never());
  const folder = join(gitFolder, "mirrors");
  const [name = ""] = readdirSync(folder);
  const path = join(folder, name);
  return { repository, cache, mirror, folder, path, age: () => utimesSync(path, 0, 0) };
}

test("a mirror that nothing has used since a given time is removed, and a later clone makes it again", async () => {
  const { repository, cache, mirror, folder, age } = await usedMirror();
  await cache.removeUnused(fromNow(-HOUR_MS));
  expect(readdirSync(folder)).toHaveLength(1);
  age();
  await cache.removeUnused(fromNow(-HOUR_MS));
  expect(readdirSync(folder)).toEqual([]);
  repository.push({ a: "2" });
  const clone = join(temporaryFolder(), "shop");
  await mirror.refresh(never());
  await mirror.clone(clone, never());
  expect(readFileSync(join(clone, "a"), "utf8")).toBe("2");
});

test("a mirror is used when it is refreshed, also when there is nothing new to fetch", async () => {
  const { cache, mirror, path, age } = await usedMirror();
  age();
  await mirror.refresh(never());
  await cache.removeUnused(fromNow(-HOUR_MS));
  expect(existsSync(path)).toBe(true);
});

test("clones that are requested while mirrors are removed all succeed", async () => {
  const { cache, mirror, age } = await usedMirror();
  const into = temporaryFolder();
  const cloned = async (number: number) => {
    await mirror.refresh(never());
    await mirror.clone(join(into, String(number)), never());
  };
  for (const round of [1, 2, 3, 4]) {
    age();
    await Promise.all([cloned(round * 10), cache.removeUnused(fromNow(-HOUR_MS)), cloned(round * 10 + 1)]);
  }
  expect(readdirSync(into)).toHaveLength(8);
  for (const name of readdirSync(into)) expect(readFileSync(join(into, name, "a"), "utf8")).toBe("1");
});

test("the rest of an unfinished removal is removed, and without mirrors there is nothing to do", async () => {
  const { cache, folder, path } = await usedMirror();
  mkdirSync(join(`${path}.removed-x`, "objects"), { recursive: true });
  await cache.removeUnused(fromNow(-HOUR_MS));
  expect(readdirSync(folder)).toHaveLength(1);
  await createMirrorCache(temporaryFolder()).removeUnused(fromNow(HOUR_MS));
});

test("the mirror of a source that is no longer served is removed, and that of one that is served stays", async () => {
  const folder = temporaryFolder();
  for (const name of ["served.git", "left.git", "mirrors"]) {
    mkdirSync(join(folder, name));
    utimesSync(join(folder, name), 0, 0);
  }
  await removeUnusedMirrors(folder, fromNow(-HOUR_MS), never(), (name) => name === "served.git");
  expect(readdirSync(folder).sort()).toEqual(["mirrors", "served.git"]);
});

import { mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runHere } from "../../../src/executor/files/file-jobs.ts";
import {
  describeSystem,
  placeOfClone,
  type SetupKey,
  whyAnother,
} from "../../../src/executor/workspace/setup-key.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { emptyRepository, repositoryWith, runGit } from "../../given/repository.ts";

const NEVER = new AbortController().signal;

const KEY: SetupKey = {
  factory: "f",
  parts: {
    ...{ commands: "1", sandbox: "1", system: "1", machine: "1", network: "1", environment: "1", tools: "1" },
    ...{ author: "1", origin: "1" },
  },
  repositories: { shop: { commit: "a".repeat(40), history: "1" } },
};
const LOCK = { "shop/package-lock.json": "1" };
const shop = (commit: string, history = "1") => ({
  repositories: { shop: { commit: commit.repeat(40), history } },
});

test.each<[Partial<SetupKey>, Record<string, string>, string]>([
  [{ parts: { ...KEY.parts, commands: "2" } }, LOCK, "the setup commands changed"],
  [{ parts: { ...KEY.parts, sandbox: "2" } }, LOCK, "the sandbox or its image changed"],
  [{ parts: { ...KEY.parts, origin: "2" } }, LOCK, "the event is from another repository"],
  [{ repositories: {} }, LOCK, "the run has other repositories"],
  [shop("b"), { "shop/package-lock.json": "2" }, "shop/package-lock.json changed"],
  [shop("b"), {}, "shop/package-lock.json was removed"],
  [shop("b"), { ...LOCK, "shop/go.sum": "1" }, "shop/go.sum was added"],
  [shop("b"), LOCK, "shop is at commit bbbbbbbbbbbb, and was at aaaaaaaaaaaa"],
  [shop("a", "2"), LOCK, "the branch or the tags of a repository are other ones"],
])("a miss names what is different: %j", (difference, lockFiles, reason) => {
  expect(whyAnother({ ...KEY, ...difference }, lockFiles, { key: KEY, lockFiles: LOCK })).toBe(reason);
});

test("the place of a clone changes with its commit, its branch, its tags and its origin", async () => {
  const repository = repositoryWith({ a: "1" });
  const folder = join(temporaryFolder(), "clone");
  repository.git("clone", "--quiet", repository.url, folder);
  const places = [await placeOfClone(folder, NEVER)];
  for (const args of [
    ["commit", "--quiet", "--allow-empty", "--message=x"],
    ["checkout", "--quiet", "-b", "other"],
    ["tag", "one"],
    ["remote", "set-url", "origin", "file:///elsewhere"],
  ]) {
    runGit(folder, ...args);
    places.push(await placeOfClone(folder, NEVER));
  }
  expect(new Set(places.map((place) => JSON.stringify(place))).size).toBe(5);
  expect(await placeOfClone(folder, NEVER)).toEqual(places.at(-1));
});

test("a clone without commits has a place", async () => {
  const folder = join(temporaryFolder(), "clone");
  const repository = emptyRepository();
  repository.git("clone", "--quiet", repository.url, folder);
  expect(await placeOfClone(folder, NEVER)).toMatchObject({ commit: "" });
});

test("the description of the machine changes when a folder of programs does", async () => {
  const [one, other] = [temporaryFolder(), temporaryFolder()];
  const before = await describeSystem(`${one}:${other}`);
  expect(await describeSystem(`${one}:${other}`)).toEqual(before);
  utimesSync(other, new Date(0), new Date(0));
  expect(await describeSystem(`${one}:${other}`)).not.toEqual(before);
});

test("lock files are found wherever they are, but not in installed packages or in git", async () => {
  const folder = folderWith({
    "package-lock.json": "a",
    "api/go.sum": "b",
    "node_modules/x/package-lock.json": "c",
    ".git/Cargo.lock": "d",
    "notes.lock": "e",
  });
  mkdirSync(join(folder, "yarn.lock"));
  const { result } = await runHere.run("findLockFiles", { folder });
  expect(Object.keys(result).sort()).toEqual(["api/go.sum", "package-lock.json"]);
});

import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cloneRepositories } from "../../../src/executor/workspace/repository-folders.ts";
import { objectsOf } from "../../../src/executor/workspace/shared-objects.ts";
import { openWorkspaces } from "../../../src/executor/workspace/workspaces.ts";
import { createMirrorCache } from "../../../src/git/mirrors/mirror-cache.ts";
import { newUuid } from "../../../src/id.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { repositoryWith } from "../../given/repository.ts";

/** The folder of workspaces, and a run whose clones share objects. */
async function sharing() {
  const folder = join(temporaryFolder(), "workspaces");
  const workspaces = openWorkspaces(folder);
  const id = newUuid();
  const taken = await workspaces.take(id, false);
  mkdirSync(join(objectsOf(taken.path), "shop"), { recursive: true });
  return { folder, workspaces, id, taken };
}

test("objects that clones share stay for every turn of the run, and go with its workspace", async () => {
  const { folder, workspaces, id, taken } = await sharing();
  await taken.markPrepared();
  taken.release();
  const later = await workspaces.take(id, false);
  expect([later.isPrepared, existsSync(objectsOf(later.path))]).toEqual([true, true]);
  later.release();
  expect(await workspaces.remove(id)).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
});

test("a workspace whose preparation was cut short begins without the objects of before, also when it was empty", async () => {
  const { folder, workspaces, id, taken } = await sharing();
  taken.release();
  const again = await workspaces.take(id, false);
  expect([again.isPrepared, readdirSync(folder)]).toEqual([false, [id]]);
  again.release();
});

test("objects whose removal was cut short are found and removed", async () => {
  const { folder, workspaces, id, taken } = await sharing();
  const other = newUuid();
  mkdirSync(join(folder, `${other}.objects`, "shop"), { recursive: true });
  mkdirSync(`${objectsOf(taken.path)}.removed-x`);
  writeFileSync(join(`${objectsOf(taken.path)}.removed-x`, "pack"), "");
  taken.release();
  expect((await workspaces.list()).sort()).toEqual([id, other].sort());
  await workspaces.remove(other);
  await workspaces.removeRemains();
  expect(readdirSync(folder).sort()).toEqual([id, `${id}.objects`]);
});

test("a run that goes without a repository holds none of its objects", async () => {
  const folder = temporaryFolder();
  const { url } = repositoryWith({ a: "1" });
  const shop = {
    owner: "acme",
    name: "shop",
    remote: { url, access: {}, tokenIn: "the token", forge: "home" },
  };
  const notes: string[] = [];
  const cloned = await cloneRepositories(join(folder, "run"), new Map([["shop", shop]]), {
    mirrors: createMirrorCache(join(folder, "git")),
    objects: join(folder, "objects"),
    checkout: { repository: "acme/shop", ref: "refs/heads/gone" },
    author: { name: "agent", email: "agent@millrace.invalid" },
    mayGoWithout: true,
    failure: (_, why) => new Error(why),
    note: (text) => void notes.push(text),
    signal: new AbortController().signal,
  });
  expect([cloned, notes]).toEqual([[], [expect.stringContaining("does not have acme/shop")]]);
  expect([readdirSync(join(folder, "run")), readdirSync(join(folder, "objects"))]).toEqual([[], []]);
});

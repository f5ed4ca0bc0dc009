import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { managedRepository } from "../../../src/git/managed/managed-repository.ts";
import { packRepositories } from "../../../src/git/managed/place-repository.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { runGit } from "../../given/repository.ts";

const AUTHOR = "ann <ann@example.com>";
const isOver = AbortSignal.any([]);

async function repositoryIn(folder: string, name: string) {
  const path = join(folder, name);
  const source = managedRepository({ path, firstMessage: "Begin", now: () => new Date() });
  const { branch } = source;
  if (!branch) throw new Error("a managed repository has a branch");
  let parent = await branch.settle(null);
  return {
    path,
    source,
    loose: () => Number(/^count: (\d+)$/m.exec(runGit(path, "count-objects", "-v"))?.[1]),
    async commit(files: number) {
      const edits = Array.from({ length: files }, (_, n) => ({
        path: `f${n}`,
        content: Buffer.from(`${parent}${n}`),
      }));
      const { revision } = await branch.commit({
        parent,
        edits,
        author: AUTHOR,
        message: "Edit",
        at: new Date(),
      });
      await branch.advance(parent, revision.id);
      parent = revision.id;
      return revision.id;
    },
  };
}

test("a repository with many loose objects is packed, and others are left as they are", async () => {
  const folder = temporaryFolder();
  const busy = await repositoryIn(folder, "busy.git");
  const calm = await repositoryIn(folder, "calm.git");
  await calm.commit(50);
  let last = "";
  for (let n = 0; n < 12; n += 1) last = await busy.commit(90);
  const [before, looseOfCalm] = [runGit(busy.path, "log", "--format=%H"), calm.loose()];
  expect(busy.loose()).toBeGreaterThan(1_000);

  await packRepositories(folder, isOver);
  expect([busy.loose(), calm.loose()]).toEqual([0, looseOfCalm]);
  expect(runGit(busy.path, "log", "--format=%H")).toBe(before);
  runGit(busy.path, "fsck", "--full", "--strict");
  expect((await busy.source.past(last)).entries).toHaveLength(90);
  await busy.commit(1);
});

test("a folder that is no repository, or is not there, does not end it", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "empty.git"));
  writeFileSync(join(folder, "file"), "");
  await packRepositories(folder, isOver);
  await packRepositories(join(folder, "nowhere"), isOver);
  expect(readdirSync(folder).sort()).toEqual(["empty.git", "file"]);
});

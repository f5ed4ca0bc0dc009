import { linkSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { runHere } from "../../../src/executor/files/file-jobs.ts";
import { keepDiskTotal } from "../../../src/executor/workspace/remove-ended.ts";
import { objectsOf } from "../../../src/executor/workspace/shared-objects.ts";
import { openWorkspaces } from "../../../src/executor/workspace/workspaces.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { aRun, aStore } from "../../given/store.ts";

const MIB = 1024 * 1024;

test("above the total, workspaces of ended runs go, those that ended first before the others, and then mirrors", async () => {
  const { runs } = await aStore();
  const folder = join(temporaryFolder(), "workspaces");
  const git = temporaryFolder();
  mkdirSync(join(git, "mirrors"));
  writeFileSync(join(git, "mirrors", "pack"), Buffer.alloc(MIB, 1));
  const workspaces = openWorkspaces(folder);
  const at = new Date().toISOString();
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.push((await runs.create(aRun(), at)).id);
  const [first = "", second = "", waiting = ""] = ids;
  // The run that was made first ends last.
  for (const id of [second, first, waiting]) {
    const taken = await workspaces.take(id, false);
    writeFileSync(join(taken.path, "data"), Buffer.alloc(MIB, 1));
    await taken.noteUsage({ bytes: MIB, files: 1, unlinkedBytes: 0, isOver: false });
    taken.release();
    await sleep(20);
  }
  for (const id of [first, second]) await runs.cancel(id, at);
  let mirrorsRemoved = 0;
  const removeMirrors = async () => {
    mirrorsRemoved += 1;
  };
  const parts = { store: runs, workspaces, files: runHere, git, now: () => new Date(), removeMirrors };
  const left = () => readdirSync(folder).filter((name) => !name.includes("."));
  await keepDiskTotal({ ...parts, mostBytes: 5 * MIB });
  expect(left().sort()).toEqual([...ids].sort());
  await keepDiskTotal({ ...parts, mostBytes: 3.5 * MIB });
  expect(left().sort()).toEqual([first, waiting].sort());
  expect(mirrorsRemoved).toBe(0);
  await keepDiskTotal({ ...parts, mostBytes: MIB });
  expect([left(), mirrorsRemoved]).toEqual([[waiting], 1]);
});

test("a workspace of an ended run that cannot be counted is removed, and the others are still held to the total", async () => {
  const { runs } = await aStore();
  const folder = join(temporaryFolder(), "workspaces");
  const workspaces = openWorkspaces(folder);
  const at = new Date().toISOString();
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.push((await runs.create(aRun(), at)).id);
  const [strange = "", ended = "", waiting = ""] = ids;
  for (const id of ids) {
    const taken = await workspaces.take(id, false);
    writeFileSync(join(taken.path, "data"), Buffer.alloc(MIB, 1));
    taken.release();
  }
  for (const id of [strange, ended]) await runs.cancel(id, at);
  const parts = { store: runs, workspaces, git: temporaryFolder(), now: () => new Date() };
  const files: typeof runHere = {
    run: (job, options, signal) =>
      "folder" in options && options.folder.endsWith(strange)
        ? Promise.reject(new Error("The folder cannot be counted."))
        : runHere.run(job, options, signal),
  };
  const left = () => readdirSync(folder).filter((name) => !name.includes("."));
  await keepDiskTotal({ ...parts, files, removeMirrors: async () => {}, mostBytes: 5 * MIB });
  expect(left().sort()).toEqual([ended, waiting].sort());
  await keepDiskTotal({ ...parts, files, removeMirrors: async () => {}, mostBytes: 1.5 * MIB });
  expect(left()).toEqual([waiting]);
});

test("objects that clones share count once, and what they alone still have goes with the last of their workspaces", async () => {
  const { runs } = await aStore();
  const folder = join(temporaryFolder(), "workspaces");
  const git = join(folder, "..", "git");
  mkdirSync(git);
  writeFileSync(join(git, "pack"), Buffer.alloc(2 * MIB, 1));
  const workspaces = openWorkspaces(folder);
  const at = new Date().toISOString();
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const { id } = await runs.create(aRun(), at);
    ids.push(id);
    const taken = await workspaces.take(id, false);
    writeFileSync(join(taken.path, "data"), Buffer.alloc(MIB, 1));
    mkdirSync(objectsOf(taken.path));
    // The last one has none of what a forced push has taken out of the mirror.
    if (n < 2) linkSync(join(git, "pack"), join(objectsOf(taken.path), "pack"));
    await taken.noteUsage({ bytes: MIB, files: 1, unlinkedBytes: 0, isOver: false });
    taken.release();
    await runs.cancel(id, at);
    await sleep(20);
  }
  let mirrorsRemoved = 0;
  const removeMirrors = async () => {
    mirrorsRemoved += 1;
  };
  const parts = { store: runs, workspaces, files: runHere, git, now: () => new Date(), removeMirrors };
  const left = () => readdirSync(folder).filter((name) => !name.includes("."));
  await keepDiskTotal({ ...parts, mostBytes: 5.5 * MIB });
  expect(left().sort()).toEqual([...ids].sort());
  rmSync(join(git, "pack"));
  await keepDiskTotal({ ...parts, mostBytes: 4.5 * MIB });
  expect(left().sort()).toEqual(ids.slice(1).sort());
  await keepDiskTotal({ ...parts, mostBytes: 1.5 * MIB });
  expect([left(), mirrorsRemoved]).toEqual([ids.slice(2), 0]);
  expect(
    readdirSync(folder).some((name) => name.startsWith(ids[0] ?? "") || name.startsWith(ids[1] ?? "")),
  ).toBe(false);
});

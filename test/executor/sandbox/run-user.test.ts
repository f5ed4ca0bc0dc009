import { linkSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runHere } from "../../../src/executor/files/file-jobs.ts";
import { chownWorkspace, isTrueRoot, rangeWithin, runUser } from "../../../src/executor/sandbox/run-user.ts";
import { temporaryFolder } from "../../given/folder.ts";

const EVERYBODY = "         0          0 4294967295\n";
const OF_A_CONTAINER = "         0     100000      65536\n";

test("a run has the same user at each turn, and another run another one", () => {
  const range = rangeWithin([EVERYBODY, EVERYBODY]);
  if (!range) throw new Error("there is no range");
  const users = Array.from({ length: 200 }, (_, index) => runUser(`run-${index}`, range).uid);
  expect(runUser("run-0", range)).toEqual({ uid: users[0], gid: users[0] });
  expect(new Set(users).size).toBe(200);
  expect(users.every((uid) => uid >= 1_879_048_192 && uid < 2 ** 31 - 1)).toBe(true);
});

test("users are taken from what a server in a container knows, or there are none", () => {
  expect(rangeWithin([OF_A_CONTAINER, EVERYBODY])).toEqual({ first: 40_000, count: 20_000 });
  expect(rangeWithin(["         0       1000          1\n", EVERYBODY])).toBeUndefined();
});

test("a workspace is handed over with all in it, and nothing that links lead to", async () => {
  const folder = temporaryFolder();
  const workspace = join(folder, "workspace");
  mkdirSync(join(workspace, "deep/er"), { recursive: true });
  for (const file of ["deep/er/file", "../outside", "../shared"]) writeFileSync(join(workspace, file), "x");
  symlinkSync("../outside", join(workspace, "link"));
  linkSync(join(folder, "shared"), join(workspace, "hard"));
  const isRoot = process.getuid?.() === 0;
  const user = isRoot
    ? { uid: 1_900_000_000, gid: 1_900_000_000 }
    : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  await chownWorkspace(runHere, workspace, user);
  const ownerOf = (path: string) => lstatSync(join(workspace, path)).uid;
  for (const path of [".", "deep", "deep/er", "deep/er/file", "link"])
    expect([path, ownerOf(path)]).toEqual([path, user.uid]);
  for (const path of ["../outside", "hard", ".."])
    expect([path, ownerOf(path)]).toEqual([path, process.getuid?.()]);
});

test("root of a namespace of subordinate ids is not taken for root of the machine", () => {
  expect(
    [EVERYBODY, OF_A_CONTAINER, "         0       1000          1\n         1    1000000      65536\n"].map(
      isTrueRoot,
    ),
  ).toEqual([true, false, false]);
});

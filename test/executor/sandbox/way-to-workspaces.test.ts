import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWayTo } from "../../../src/executor/sandbox/unconfined.ts";
import { temporaryFolder } from "../../given/folder.ts";

test("the way to the workspaces is opened past a file that is gone when its turn comes, and past no other", async () => {
  const outside = temporaryFolder();
  chmodSync(outside, 0o711);
  const dataFolder = join(outside, "data");
  const workspaces = join(dataFolder, "workspaces");
  mkdirSync(workspaces, { recursive: true });
  writeFileSync(join(dataFolder, "readable"), "x", { mode: 0o644 });
  // Listed, and not to be found: as a journal of the database that was just removed.
  symlinkSync(join(dataFolder, "no-such-file"), join(dataFolder, "journal"));
  expect(await openWayTo({ path: dataFolder, workspaces })).toBeUndefined();
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  expect([modeOf(dataFolder), modeOf(workspaces), modeOf(join(dataFolder, "readable"))]).toEqual([
    0o711, 0o711, 0o600,
  ]);
});

test("the way to workspaces on a volume of their own is opened, and nothing else there is touched", async () => {
  const outside = temporaryFolder();
  chmodSync(outside, 0o755);
  const [path, workspaces, beside] = ["data", "workspaces", "beside"].map((name) => join(outside, name));
  for (const folder of [path, workspaces, beside]) mkdirSync(folder ?? "", { mode: 0o755 });
  writeFileSync(join(path ?? "", "readable"), "x", { mode: 0o644 });
  expect(await openWayTo({ path: path ?? "", workspaces: workspaces ?? "" })).toBeUndefined();
  const modeOf = (name: string) => statSync(join(outside, name)).mode & 0o777;
  expect([modeOf("workspaces"), modeOf("beside"), modeOf("data/readable")]).toEqual([0o711, 0o755, 0o600]);
});

import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWayTo } from "../../../src/runs/sandbox/unconfined.ts";
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
  expect(await openWayTo(workspaces)).toBeUndefined();
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  expect([modeOf(dataFolder), modeOf(workspaces), modeOf(join(dataFolder, "readable"))]).toEqual([
    0o711, 0o711, 0o600,
  ]);
});

import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deferred } from "../../../src/concurrency/promises.ts";
import { FILE_JOBS, runHere } from "../../../src/executor/files/file-jobs.ts";
import type { SetupKey } from "../../../src/executor/workspace/setup-key.ts";
import { openSnapshots, type SnapshotsOptions } from "../../../src/executor/workspace/snapshots.ts";
import { newUuid } from "../../../src/id.ts";
import { silentLog } from "../../../src/log.ts";
import { temporaryFolder } from "../../given/folder.ts";

const NEVER = new AbortController().signal;
const PARTS = {
  ...{ commands: "1", sandbox: "1", system: "1", machine: "1", network: "1", environment: "1", tools: "1" },
  ...{ author: "1", origin: "1" },
};
const keyOf = (commands = "1", factory = "f".repeat(32)): SetupKey => ({
  factory,
  parts: { ...PARTS, commands },
  repositories: { shop: { commit: "c", history: "h" } },
});

/** Snapshots in a folder, of workspaces with one file. */
async function snapshotsIn(
  folder = join(temporaryFolder(), "snapshots"),
  options: Partial<SnapshotsOptions> = {},
) {
  let at = Date.now();
  const opened = await openSnapshots({
    ...{ folder, mostBytes: 30_000, freeBytes: 0, isWithinReach: false, files: runHere, log: silentLog },
    now() {
      at += 1_000;
      return new Date(at);
    },
    ...options,
  });
  return {
    ...opened,
    folder,
    pass(ms: number) {
      at += ms;
    },
    async take(key: SetupKey, text = "made", signal = NEVER) {
      const [workspace, runId] = [temporaryFolder(), newUuid()];
      const sinceMs = await opened.readClock();
      writeFileSync(join(workspace, "made"), text);
      return opened.take(key, { workspace, runId, sinceMs, clones: [], lockFiles: {}, secrets: [], signal });
    },
    async restore(key: SetupKey) {
      const found = await opened.find(key);
      return (
        found && opened.restore(found, { workspace: temporaryFolder(), runId: newUuid(), signal: NEVER })
      );
    },
  };
}

test("a snapshot is found by its whole key, and by no other factory's", async () => {
  const { take, find } = await snapshotsIn();
  await take(keyOf());
  expect(await find(keyOf())).toMatchObject({ files: 1, bytes: 4 });
  expect(await find(keyOf("1", "e".repeat(32)))).toBeUndefined();
  for (const part of Object.keys(PARTS))
    expect(await find({ ...keyOf(), parts: { ...PARTS, [part]: "2" } })).toBeUndefined();
  for (const shop of [
    { commit: "d", history: "h" },
    { commit: "c", history: "i" },
  ])
    expect(await find({ ...keyOf(), repositories: { shop } })).toBeUndefined();
});

test("those that were not used for longest go when there are too many bytes, and of the factory that has most", async () => {
  const { take, find, restore } = await snapshotsIn();
  // Of four, three have room: each takes two blocks.
  const half = "x".repeat(5_000);
  const quiet = keyOf("1", "e".repeat(32));
  await take(quiet, half);
  await take(keyOf("1"), half);
  await take(keyOf("2"), half);
  await restore(keyOf("1"));
  await take(keyOf("3"), half);
  expect(
    await Promise.all([quiet, keyOf("1"), keyOf("2"), keyOf("3")].map(async (key) => !!(await find(key)))),
  ).toEqual([true, true, false, true]);
});

test("one that would take more than half of the room is not made", async () => {
  const { take, find } = await snapshotsIn();
  expect(await take(keyOf(), "x".repeat(15_001))).toEqual({
    refused: "the setup commands made more than a snapshot may have",
  });
  expect(await find(keyOf())).toBeUndefined();
});

test("a snapshot is there as a whole or not at all, wherever a crash ends its making, and what is left of it is removed", async () => {
  for (let steps = 0; ; steps += 1) {
    let left = steps;
    const files: SnapshotsOptions["files"] = {
      run(job, options) {
        const taking = FILE_JOBS[job](options as never) as Generator<void, never>;
        for (let step = taking.next(); ; step = taking.next()) {
          if (step.done) return Promise.resolve({ result: step.value, spentMs: 0 });
          // The process ends here.
          if (left-- === 0) return new Promise(() => {});
        }
      },
    };
    const { take, folder } = await snapshotsIn(undefined, { files });
    const isMade = await Promise.race([take(keyOf()).then(() => true), afterTurns()]);
    const next = await snapshotsIn(folder);
    expect(await next.find(keyOf()).then((found) => found !== undefined)).toBe(isMade);
    await next.sweep();
    expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
    if (isMade) return;
  }
});

const afterTurns = () => new Promise<false>((resolve) => setTimeout(() => resolve(false), 500));

test("one whose manifest is missing or another, or that was made before the machine started, is not found and is removed", async () => {
  const { take, find, folder, sweep } = await snapshotsIn();
  const manifests = ["", "{}", '{"key": {}, "madeAt": "2026-01-01T00:00:00Z", "boot": "another"}'];
  for (const text of [...manifests, undefined]) {
    const made = await take(keyOf());
    if ("refused" in made) throw new Error(made.refused);
    const manifest = join(made.folder, "manifest.json");
    if (text === undefined) rmSync(manifest);
    else writeFileSync(manifest, text);
    expect(await find(keyOf())).toBeUndefined();
    await sweep();
    expect(existsSync(made.folder)).toBe(false);
  }
  expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
});

test("one that is a week old is not used", async () => {
  const { take, find, pass } = await snapshotsIn();
  await take(keyOf());
  pass(7 * 24 * 60 * 60_000 - 60_000);
  expect(await find(keyOf())).toBeDefined();
  pass(120_000);
  expect(await find(keyOf())).toBeUndefined();
});

test("where agents have the user of the server, only what this process made is used, and only as it was", async () => {
  const { take, find, restore, folder } = await snapshotsIn(undefined, { isWithinReach: true });
  const made = await take(keyOf());
  expect(await restore(keyOf())).toMatchObject({ files: 1 });
  const later = await snapshotsIn(folder, { isWithinReach: true });
  expect(await later.find(keyOf())).toBeUndefined();
  writeFileSync(join("folder" in made ? made.folder : "", "0", "1"), "evil");
  expect(await restore(keyOf())).toEqual({ failure: expect.stringContaining("another content") });
  expect(await find(keyOf())).toBeUndefined();
});

test("a folder that an agent puts in the place of a snapshot is not used where it can do that", async () => {
  const { find, take, folder } = await snapshotsIn(undefined, { isWithinReach: true });
  const made = await take(keyOf("other"));
  if ("refused" in made) throw new Error(made.refused);
  const other = await snapshotsIn();
  const forged = await other.take(keyOf(), "evil");
  if ("refused" in forged) throw new Error(forged.refused);
  renameSync(forged.folder, forged.folder.replace(other.folder, folder));
  expect(await find(keyOf())).toBeUndefined();
});

test("two runs that make the same one at the same time make one, and the other says why it did not", async () => {
  const { take, find } = await snapshotsIn();
  const both = await Promise.all([take(keyOf()), take(keyOf())]);
  expect(both.filter((each) => "refused" in each)).toEqual([{ refused: "another run is making it" }]);
  expect(await find(keyOf())).toBeDefined();
});

test("one that is being restored is not removed", async () => {
  const begun = deferred<void>();
  const goesOn = deferred<void>();
  const files: SnapshotsOptions["files"] = {
    async run(job, options) {
      if (job === "restoreSnapshot") {
        begun.resolve(undefined);
        await goesOn.promise;
      }
      return runHere.run(job, options);
    },
  };
  const { take, restore, removeOldest } = await snapshotsIn(undefined, { files });
  await take(keyOf());
  const restoring = restore(keyOf());
  await begun.promise;
  expect(await removeOldest()).toBe(false);
  goesOn.resolve(undefined);
  expect(await restoring).toMatchObject({ files: 1 });
  expect(await removeOldest()).toBe(true);
});

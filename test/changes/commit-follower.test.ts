import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createCommitFollower } from "../../src/changes/commit-follower.ts";
import type { ListingBacklog } from "../../src/changes/log.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { onFinished } from "../given/cleanup.ts";
import { temporaryFolder } from "../given/folder.ts";
import { POSTGRES_URL, postgresDatabaseOf } from "../given/postgres.ts";
import { build } from "../given/serve-here.ts";
import { waitFor } from "../given/server.ts";
import { AT, aQuery, aRun, aStore } from "../given/store.ts";

const SILENT = { onLost() {}, onCommit() {}, onFailure() {}, onOthers() {} };

async function opened(path: string): Promise<OpenStore> {
  const { openStore } = await build<typeof import("../../src/store/open-store.ts")>("store/open-store.js");
  const store =
    POSTGRES_URL === undefined
      ? await openStore(path, SILENT)
      : await openPostgres(await postgresDatabaseOf(dirname(path)), SILENT);
  onFinished(store.close);
  return store;
}

test("whoever has created a run finds it in the list immediately, also with many others", async () => {
  const { runs } = await opened(join(temporaryFolder(), "millrace.db"));
  for (let round = 0; round < 20; round += 1) {
    const made = Array.from({ length: 20 }, () => aRun());
    await Promise.all(made.map((run) => runs.create(run, new Date().toISOString())));
    const page = await runs.list(aQuery({}, { limit: 500 }));
    const listed = page.runs.map(({ id }) => id);
    expect(listed).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
    expect(listed).toHaveLength(20 * (round + 1));
    expect(page.behindSince).toBeUndefined();
  }
});

test("what was not listed when a server ended is listed when the next one starts", async () => {
  const path = join(temporaryFolder(), "millrace.db");
  const before = await aStore(path);
  for (let n = 0; n < 500; n += 1) await before.runs.create(aRun(), AT);
  expect(await before.runs.findListingBacklog()).toEqual({ changes: 500, since: AT });
  const { runs } = await opened(path);
  await waitFor(async () => (await runs.findListingBacklog()).changes === 0);
  expect((await runs.list(aQuery({}, { limit: 500 }))).runs).toHaveLength(500);
});

/** A writer with so many changes to list, two hundred of which an update takes at most. */
function aBacklog(changes: number, since: string) {
  let left = changes;
  let updates = 0;
  return {
    updates: () => updates,
    async update(limit: number): Promise<ListingBacklog> {
      updates += 1;
      left = Math.max(0, left - limit);
      return left === 0 ? { changes: 0, since: null } : { changes: left, since };
    },
  };
}

test("a list waits for a bounded number of updates, and is read as it is then", async () => {
  const { update, updates } = aBacklog(1_000_000, new Date().toISOString());
  const { caughtUp, stop } = createCommitFollower(update);
  onFinished(stop);
  await caughtUp();
  expect(updates()).toBeLessThan(100);
});

test("a hundred lists that are asked for together wait for no more updates than a few", async () => {
  const { update, updates } = aBacklog(1_000_000, new Date().toISOString());
  const { caughtUp, stop } = createCommitFollower(update);
  onFinished(stop);
  await Promise.all(Array.from({ length: 100 }, () => caughtUp()));
  expect(updates()).toBeLessThan(200);
});

test("nothing is asked of the writer for a list when nothing was committed", async () => {
  const { update, updates } = aBacklog(1, new Date().toISOString());
  const { caughtUp, stop } = createCommitFollower(update);
  onFinished(stop);
  await caughtUp();
  const before = updates();
  await caughtUp();
  expect(updates()).toBe(before);
});

test("an update that fails keeps no list from being read, and is made again", async () => {
  let fails = true;
  let done = false;
  const { caughtUp, committed, stop } = createCommitFollower(async () => {
    if (fails) throw new Error("the disk is full");
    done = true;
    return { changes: 0, since: null };
  });
  onFinished(stop);
  await expect(caughtUp()).rejects.toThrow("the disk is full");
  fails = false;
  committed();
  await caughtUp();
  expect(done).toBe(true);
});

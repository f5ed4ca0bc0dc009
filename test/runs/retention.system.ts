import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTranscript } from "../../src/executor/output/transcript-writer.ts";
import { openWorkspaces } from "../../src/executor/workspace/workspaces.ts";
import { newUuid } from "../../src/id.ts";
import { findLastOutput } from "../../src/runs/output/transcript.ts";
import { pruneRuns, pruneTranscripts, pruneUsage, pruneWorkspaces } from "../../src/runs/retention.ts";
import { usageOf, usedRun } from "../given/factory.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { aQuery, aRun, aStore } from "../given/store.ts";

const MINUTE = 60_000;
// Ids tell the time at which they are made, so it is the time of the test.
const END = new Date(Date.now() + MINUTE).toISOString();
const after = (minutes: number) => () => new Date(Date.parse(END) + minutes * MINUTE);

/** A store with a run that has ended, and the folder of its workspace. */
async function endedRun() {
  const { runs, transcripts, connection } = await aStore();
  const create = async (prompt: string) => {
    const run = await runs.create(aRun({ prompt, metadata: { team: "red" } }), END);
    await transcripts.append(run.id, [
      { seq: 1, turn: 1, stream: "stdout", at: END, bytes: Buffer.from("said") },
    ]);
    return run;
  };
  const ended = await create("ended");
  await runs.cancel(ended.id, END);
  const waiting = await create("waiting");
  const folder = join(temporaryFolder(), "workspaces");
  return { runs, transcripts, connection, ended, waiting, folder, workspaces: openWorkspaces(folder) };
}

test("the workspace of a run goes so long after the run's end, and not before", async () => {
  const { runs, ended, waiting, workspaces } = await endedRun();
  for (const { id } of [ended, waiting]) (await workspaces.take(id, false)).release();
  const parts = { store: runs, workspaces, keepMs: 10 * MINUTE };
  await pruneWorkspaces({ ...parts, now: after(9) });
  expect((await workspaces.list()).sort()).toEqual([ended.id, waiting.id].sort());
  await pruneWorkspaces({ ...parts, now: after(11) });
  expect(await workspaces.list()).toEqual([waiting.id]);
});

test("a workspace that a turn has stays, and goes when the turn has released it", async () => {
  const { runs, ended, workspaces } = await endedRun();
  const taken = await workspaces.take(ended.id, false);
  const parts = { store: runs, workspaces, keepMs: 0, now: after(1) };
  await pruneWorkspaces(parts);
  expect(existsSync(taken.path)).toBe(true);
  taken.release();
  await pruneWorkspaces(parts);
  expect(existsSync(taken.path)).toBe(false);
});

test("a turn after that begins in a new workspace", async () => {
  const { runs, ended, workspaces } = await endedRun();
  const first = await workspaces.take(ended.id, false);
  await first.markPrepared();
  first.release();
  const second = await workspaces.take(ended.id, false);
  expect([first.isPrepared, second.isPrepared]).toEqual([false, true]);
  second.release();
  await pruneWorkspaces({ store: runs, workspaces, keepMs: 0, now: after(1) });
  expect((await workspaces.take(ended.id, false)).isPrepared).toBe(false);
});

test("what runs that are no more have left goes too, and what is none of theirs stays", async () => {
  const { runs, workspaces, folder } = await endedRun();
  const gone = newUuid();
  const half = `${newUuid()}.removed-x`;
  for (const name of [gone, half, "notes"]) mkdirSync(join(folder, name, "a"), { recursive: true });
  await pruneWorkspaces({ store: runs, workspaces, keepMs: MINUTE, now: after(0) });
  expect(readdirSync(folder)).toEqual(["notes"]);
});

test("a removal copes with what an agent has made, and follows no link", async () => {
  const { runs, ended, workspaces } = await endedRun();
  const outside = folderWith({ kept: "as it was" });
  const { path, release } = await workspaces.take(ended.id, false);
  mkdirSync(join(path, "locked"));
  writeFileSync(join(path, "locked", "file"), "");
  chmodSync(join(path, "locked"), 0o000);
  symlinkSync(outside, join(path, "out"));
  symlinkSync(join(outside, "kept"), join(path, "link"));
  mkdirSync(join(path, "theirs"));
  if (userInfo().uid === 0) chownSync(join(path, "theirs"), 12_345, 12_345);
  // Deeper than a path can be long.
  const deep = `cd "$1"; for i in $(seq 300); do mkdir ${"d".repeat(50)} && cd ${"d".repeat(50)}; done`;
  execFileSync("bash", ["-c", deep, "bash", path]);
  release();
  await pruneWorkspaces({ store: runs, workspaces, keepMs: 0, now: after(1) });
  expect(existsSync(path)).toBe(false);
  expect(readFileSync(join(outside, "kept"), "utf8")).toBe("as it was");
});

test("a workspace that has become a link is unlinked", async () => {
  const { runs, ended, workspaces, folder } = await endedRun();
  const outside = folderWith({ kept: "as it was" });
  mkdirSync(folder, { recursive: true });
  symlinkSync(outside, join(folder, ended.id));
  await pruneWorkspaces({ store: runs, workspaces, keepMs: 0, now: after(1) });
  expect(readdirSync(folder)).toEqual([]);
  expect(readFileSync(join(outside, "kept"), "utf8")).toBe("as it was");
});

test("a transcript goes so long after its run's end, and the run stays", async () => {
  const { runs, transcripts, ended, waiting } = await endedRun();
  const parts = { store: runs, transcripts, keepMs: 10 * MINUTE };
  await pruneTranscripts({ ...parts, now: after(9) });
  expect(await transcripts.list(ended.id, 0, 9)).toHaveLength(1);
  await pruneTranscripts({ ...parts, now: after(11) });
  expect(await transcripts.list(ended.id, 0, 9)).toEqual([]);
  expect(await transcripts.list(waiting.id, 0, 9)).toHaveLength(1);
  expect(await runs.find(ended.id)).toMatchObject({ state: "CANCELLED" });
});

test("output that comes after a transcript has gone is numbered on, and a reader that comes back misses nothing", async () => {
  const { runs, transcripts, ended } = await endedRun();
  const pieces = (...seqs: number[]) =>
    seqs.map((seq) => ({ seq, turn: 1, stream: "stdout" as const, at: END, bytes: Buffer.from("x") }));
  await transcripts.append(ended.id, pieces(2, 3));
  const parts = { transcripts, store: runs };
  expect(await findLastOutput(ended.id, parts)).toBe(3);
  await pruneTranscripts({ ...parts, keepMs: 0, now: after(1) });
  expect(await transcripts.findLastSeq(ended.id)).toBe(0);
  expect(await findLastOutput(ended.id, parts)).toBe(3);

  const lastSeq = await findLastOutput(ended.id, parts);
  const writer = openTranscript({
    append: (chunks) => transcripts.append(ended.id, chunks),
    ...{ turn: 2, lastSeq, now: after(1) },
    ...{ onFull: () => {}, onError: () => {} },
  });
  writer.note("turn 2");
  await writer.end();
  expect(await transcripts.list(ended.id, 3, 9)).toMatchObject([{ seq: 4, turn: 2 }]);
  // A second round, which finds only what came later.
  await pruneTranscripts({ ...parts, keepMs: 0, now: after(2) });
  expect(await findLastOutput(ended.id, parts)).toBe(4);
  expect((await runs.forgetRun(ended.id, END))?.isGone).toBe(true);
  expect(await findLastOutput(ended.id, parts)).toBe(0);
});

test("the usage of a run goes so long after it was told, once the run is gone", async () => {
  const store = await aStore();
  const run = await usedRun(store, {}, { at: END, endedAt: END, usage: [usageOf("opus", 10, 1)] });
  const rows = () =>
    store.connection.all<{ run_id: string }>(
      "SELECT run_id FROM run_usage UNION ALL SELECT run_id FROM run_turns",
    );
  const parts = { store: store.runs, keepMs: 10 * MINUTE };
  await pruneUsage({ ...parts, now: after(11) });
  expect(await rows()).toHaveLength(2);
  await pruneRuns({ ...parts, keepMs: 0, now: after(1) });
  expect(await store.runs.find(run)).toBeUndefined();
  await pruneUsage({ ...parts, now: after(9) });
  const left = await rows();
  expect(left).toHaveLength(2);
  expect(left.map(({ run_id }) => run_id)).not.toContain(run);
  await pruneUsage({ ...parts, now: after(11) });
  expect(await rows()).toEqual([]);
});

test("a run goes so long after its end, with everything that is its own", async () => {
  const { runs, connection, ended, waiting } = await endedRun();
  await pruneRuns({ store: runs, keepMs: 10 * MINUTE, now: after(9) });
  expect(await runs.find(ended.id)).toBeDefined();
  await pruneRuns({ store: runs, keepMs: 10 * MINUTE, now: after(11) });
  expect(await runs.find(ended.id)).toBeUndefined();
  const { runs: listed } = await runs.list(aQuery({ metadata: { team: "red" } }));
  expect(listed.map(({ id }) => id)).toEqual([waiting.id]);
  // Whatever table names a run, also one that was made since this was written.
  const tables = await connection.all<{ name: string }>(
    "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'run_id' WHERE m.type = 'table'",
  );
  expect(tables.length).toBeGreaterThan(5);
  for (const { name } of tables) {
    expect(await connection.all(`SELECT run_id FROM ${name} WHERE run_id = $1`, [ended.id]), name).toEqual(
      [],
    );
  }
});

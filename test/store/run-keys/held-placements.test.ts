import { expect, test } from "vitest";
import { keyedStore } from "../../given/keyed-runs.ts";
import { AT, LEASE } from "../../given/store.ts";

const GPU = { run: { placement: "labels:gpu" } };
const REACH = { placements: ["labels:gpu"], factories: null };

test("a run that is held is no demand for workers, and demands afterwards what it did before", async () => {
  const { deliver, runs, finish } = await keyedStore({ policy: "queue" });
  const [a, b] = [await deliver(GPU), await deliver(GPU)];
  expect(await runs.listQueuedPlacements()).toEqual(["labels:gpu"]);
  const claim = () => runs.claim(10, LEASE, AT, undefined, REACH);
  expect((await claim()).map(({ run }) => run.id)).toEqual([a.runId]);
  expect(await runs.listQueuedPlacements()).toEqual([]);
  expect((await runs.find(b.runId))?.placement).toBe("labels:gpu");
  expect(await claim()).toEqual([]);
  await runs.cancel(a.runId, AT);
  await finish(a.runId);
  expect((await claim()).map(({ run }) => run.id)).toEqual([b.runId]);
});

test("runs that are held do not fill the hour of their factory", async () => {
  const { deliver, runs } = await keyedStore({ policy: "queue" });
  for (let n = 0; n < 6; n += 1) await deliver();
  expect(await runs.findHourIsFull("f", 3, AT)).toBe(false);
  for (const key of ["a", "b"]) await deliver({ key });
  expect(await runs.findHourIsFull("f", 3, AT)).toBe(true);
});

test("a run that is cancelled while it is held is not marked any more", async () => {
  const { deliver, runs, connection } = await keyedStore({ policy: "queue" });
  await deliver(GPU);
  const held = await deliver(GPU);
  await runs.cancel(held.runId, AT);
  const row = await connection.first("SELECT placement, held_until FROM runs WHERE run_id = $1", [
    held.runId,
  ]);
  expect(row).toEqual({ placement: "labels:gpu", held_until: null });
});

test("a later turn that is held is marked once, and can be claimed after its window", async () => {
  const debounce = { quietMs: 30_000, longestMs: 300_000 };
  const { deliver, start, finish, runs } = await keyedStore({ policy: "continue", debounce });
  const a = await deliver({ at: 0 });
  await runs.closeDueWindows("2026-11-21T10:00:30.000Z", 10);
  await start(30);
  await finish(a.runId, 31);
  for (const at of [40, 50]) await deliver({ at });
  expect(await runs.listQueuedPlacements()).toEqual([]);
  await runs.closeDueWindows("2026-11-21T10:02:00.000Z", 10);
  expect(await start(120)).toEqual([a.runId]);
});

import { expect, test } from "vitest";
import { endUnfitted } from "../../src/runs/end-unfitted.ts";
import type { PlacementWorker } from "../../src/runs/rules/placement.ts";
import { aStoreOf } from "../given/factory.ts";
import { AT, aRun, LATER } from "../given/store.ts";

const MINUTE = { ms: 60_000, text: "1m" };
const POOL: PlacementWorker = { name: "pool", labels: [], platform: null, shape: null, factories: null };

/** A store with a run of each factory for a pool, and one for the server, and rounds with these workers. */
async function rounds(...connected: PlacementWorker[][]) {
  const { runs } = await aStoreOf("f", "g");
  const made = [
    aRun({ factoryUid: "f", placement: "pool" }),
    aRun({ factoryUid: "g", placement: "pool" }),
    aRun({ factoryUid: "f" }),
  ];
  for (const run of made) await runs.create(run, AT);
  let round = 0;
  return async ({ maxWait = MINUTE, isExecuting = true, at = LATER } = {}) => {
    const ended: number[] = [];
    const once = endUnfitted({
      ...{ store: runs, isExecuting, maxWait },
      connectedWorkers: () => connected[round] ?? [],
      onEnded: () => ended.push(round),
      now: () => new Date(at),
    });
    for (round = 0; round < connected.length; round += 1) await once();
    const states = await Promise.all(made.map(async ({ id }) => runs.find(id)));
    return { states: states.map((run) => run?.state), ended, message: states[0]?.statusMessage?.message };
  };
}

test("runs that no worker has fitted for too long end with ERROR at the second round, and say what was missing", async () => {
  const { states, ended, message } = await (await rounds([], []))();
  expect(states).toEqual(["ERROR", "ERROR", "QUEUED"]);
  expect(ended).toEqual([1]);
  expect(message).toContain("longer than 1m (MILLRACE_WORKER_MAX_WAIT), and no worker named pool");
});

test("a server that has just started ends none", async () => {
  expect((await (await rounds([]))()).states).toEqual(["QUEUED", "QUEUED", "QUEUED"]);
});

test("runs whose worker was there at the round before, or is busy, go on waiting", async () => {
  expect((await (await rounds([POOL], []))()).states).toEqual(["QUEUED", "QUEUED", "QUEUED"]);
  expect((await (await rounds([], [POOL]))()).states).toEqual(["QUEUED", "QUEUED", "QUEUED"]);
});

test("a worker of one factory keeps the runs of that factory waiting alone", async () => {
  const bound = { ...POOL, factories: ["g"] };
  expect((await (await rounds([bound], [bound]))()).states).toEqual(["ERROR", "QUEUED", "QUEUED"]);
});

test("nothing ends before its time, or without a limit", async () => {
  expect((await (await rounds([], []))({ at: AT })).states).toEqual(["QUEUED", "QUEUED", "QUEUED"]);
  expect((await (await rounds([], []))({ maxWait: { ms: 0, text: "0" } })).states).toEqual(
    Array(3).fill("QUEUED"),
  );
});

test("runs that name no worker end as well where the server executes none", async () => {
  expect((await (await rounds([], []))({ isExecuting: false })).states).toEqual(Array(3).fill("ERROR"));
});

import { describe, expect, test } from "vitest";
import { createLog } from "../../src/log.ts";
import { NO_CAPS } from "../../src/runs/caps.ts";
import { createQueue, type ExecutingServer } from "../../src/runs/queue.ts";
import { type ConnectedWorker, placementOf } from "../../src/runs/rules/placement.ts";
import { remoteHolder } from "../../src/runs/rules/remote-worker.ts";
import { AT, aRun, aStore, LEASE } from "../given/store.ts";

/** A queue with room for so many runs, which nobody wakes. */
async function aQueue(
  concurrency: number,
  {
    others,
    isExecuting = true,
    workers = [],
  }: { others?: ExecutingServer[]; isExecuting?: boolean; workers?: ConnectedWorker[] } = {},
) {
  const { runs } = await aStore();
  const execute = async () => {};
  const [log, now] = [createLog("silent"), () => new Date()];
  const queue = createQueue({
    store: runs,
    worker: "a-worker",
    ...(others ? { listServers: async () => others } : {}),
    isExecuting,
    connectedWorkers: () => workers,
    concurrency,
    caps: () => NO_CAPS,
    hasRoom: () => true,
    execute,
    log,
    now,
    leaseNow: now,
  });
  return { queue, runs };
}

describe("a run that is about to be stored", () => {
  test("has to wait when those before it take all the room, also before any of them has begun", async () => {
    const { queue } = await aQueue(2);
    const waits = ["a", "b", "c"].map((id) => queue.expect(aRun({ id })));
    expect(await Promise.all(waits)).toEqual([false, false, true]);
  });

  test("gives its room back when it is cancelled before it begins, or not stored", async () => {
    const { queue } = await aQueue(1);
    expect(await queue.expect(aRun({ id: "a" }))).toBe(false);
    queue.cancel("a");
    expect(await queue.expect(aRun({ id: "b" }))).toBe(false);
    queue.forget("b");
    expect(await queue.expect(aRun({ id: "c" }))).toBe(false);
  });

  test("gives its room back when another server has claimed it, whatever this one has heard of that", async () => {
    const { queue, runs } = await aQueue(1);
    const { id } = await runs.create(aRun(), AT);
    expect(await queue.expect(aRun({ id }))).toBe(false);
    expect(await queue.expect(aRun())).toBe(true);
    await runs.claim(1, { ...LEASE, worker: "another-server" }, AT);
    expect(await queue.expect(aRun())).toBe(false);
  });
});

describe("a run that is about to be stored, where several servers execute runs", () => {
  const others = [{ uid: "another-server", concurrency: 1 }];

  test("does not have to wait as long as any of them has room", async () => {
    const { queue, runs } = await aQueue(1, { others });
    const waits = [];
    for (const run of [aRun(), aRun(), aRun()]) {
      waits.push(await queue.expect(run));
      await runs.create(run, AT);
    }
    expect(waits).toEqual([false, false, true]);
    await runs.claim(1, { ...LEASE, worker: "another-server" }, AT);
    expect(await queue.expect(aRun())).toBe(true);
  });

  test("has to wait when all of them are full, although this one has executed nothing", async () => {
    const { queue, runs } = await aQueue(1, { others });
    for (const worker of ["a-worker", "another-server"]) {
      await runs.create(aRun(), AT);
      await runs.claim(1, { ...LEASE, worker }, AT);
    }
    expect(await queue.expect(aRun())).toBe(true);
    const { id } = await runs.create(aRun(), AT);
    expect(await queue.whyWaiting(id)).toMatchObject({ executing: 2, concurrency: 2 });
  });

  test("is not kept waiting by runs of workers elsewhere, nor by a server that executes none", async () => {
    const { queue, runs } = await aQueue(1, { others, isExecuting: false });
    await runs.create(aRun({ placement: "gpu" }), AT);
    const reach = { placements: ["gpu"], factories: null };
    await runs.claim(1, { ...LEASE, worker: "worker:gpu" }, AT, NO_CAPS, reach);
    expect(await queue.expect(aRun())).toBe(false);
    await runs.create(aRun(), AT);
    expect(await queue.expect(aRun())).toBe(true);
  });

  test("for a worker, has to wait by what the worker holds, whatever it has told this server", async () => {
    const facts = { name: "gpu", labels: [], platform: null, shape: null, factories: null, home: "home" };
    const busy = { ...facts, id: "w", processUid: "p", concurrency: 1, executing: 1, isDraining: false };
    const { queue, runs } = await aQueue(1, { others, workers: [busy] });
    const placement = placementOf("gpu");
    expect(await queue.expect(aRun({ placement }))).toBe(false);
    await runs.create(aRun({ placement }), AT);
    const reach = { placements: [placement], factories: null };
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    await runs.claim(1, { worker: remoteHolder("w", "p"), expiresAt }, AT, NO_CAPS, reach);
    expect(await queue.expect(aRun({ placement }))).toBe(true);
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { endLostRun } from "../../src/executor/sandbox/process-tree.ts";
import { createLog } from "../../src/log.ts";
import { NO_CAPS } from "../../src/runs/caps.ts";
import { endLeftOver, type LeaseDeps, startHeartbeat } from "../../src/runs/lease.ts";
import { endProcess, isRunning } from "../given/processes.ts";
import { waitFor } from "../given/server.ts";
import { aRun, aStore } from "../given/store.ts";

const BEGIN = new Date("2026-01-01T10:00:00.000Z");
const TWO_HOURS_MS = 2 * 60 * 60_000;

const heartbeat = (leases: LeaseDeps) =>
  startHeartbeat({ worker: "a-worker", log: createLog("silent"), leases });

/** The port of a store, without the ways through it that a test watches. */
const heldBy = ({ renewLeases, renewHeld, listLeased, recoverLost }: LeaseDeps["store"]) => ({
  ...{ renewLeases, renewHeld, listLeased, recoverLost },
});

const endRemains = (runId: string) => endLostRun(runId, { endLeftBehind: async () => true });

test("a clock that is set forward during a heartbeat makes no run look lost", async () => {
  const { runs } = await aStore();
  const { id } = await runs.create(aRun({ title: "lives" }), BEGIN.toISOString());
  const lease = { worker: "a-worker", expiresAt: new Date(BEGIN.getTime() + 60_000).toISOString() };
  await runs.claim(1, lease, BEGIN.toISOString(), NO_CAPS);
  vi.useFakeTimers({ toFake: ["setInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  let moments = 0;
  let looked = false;
  const stop = heartbeat({
    store: {
      ...heldBy(runs),
      async listLeased(...which: Parameters<typeof runs.listLeased>) {
        const found = await runs.listLeased(...which);
        looked = true;
        return found;
      },
    },
    endRemains,
    // Set forward as soon as somebody has asked once.
    now: () => BEGIN,
    leaseNow: () => new Date(BEGIN.getTime() + (moments++ === 0 ? 0 : TWO_HOURS_MS)),
  });
  vi.advanceTimersByTime(15_000);
  await waitFor(() => looked || undefined);
  await stop();
  expect((await runs.find(id))?.state).toBe("CLAIMED");
});

test("a server looks for lost runs when it starts: one that is started again and again finds them too", async () => {
  const { runs } = await aStore();
  const { id } = await runs.create(aRun(), BEGIN.toISOString());
  const lease = { worker: "another", expiresAt: new Date(BEGIN.getTime() - 1).toISOString() };
  await runs.claim(1, lease, BEGIN.toISOString());
  vi.useFakeTimers({ toFake: ["setInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const stop = heartbeat({ store: runs, endRemains, now: () => BEGIN, leaseNow: () => BEGIN });
  await waitFor(async () => (await runs.find(id))?.state === "QUEUED" || undefined);
  await stop();
});

test("what a lost run has left is ended before the run is recorded as lost", async () => {
  const { runs } = await aStore();
  const { id } = await runs.create(aRun(), BEGIN.toISOString());
  const lease = { worker: "a-worker", expiresAt: BEGIN.toISOString() };
  await runs.claim(1, lease, BEGIN.toISOString());
  const left = spawn("sleep", ["4716"], { env: { MILLRACE_RUN_ID: id, PATH: process.env.PATH } });
  await once(left, "spawn");
  const pid = left.pid ?? 0;
  onTestFinished(() => endProcess(pid));
  const seen: string[] = [];
  const look = (when: string) => seen.push(`${when}: ${isRunning(pid) ? "left" : "gone"}`);
  look("at the start");
  const deps = {
    store: {
      ...heldBy(runs),
      async recoverLost(...lost: Parameters<typeof runs.recoverLost>) {
        look("when it is recorded");
        return runs.recoverLost(...lost);
      },
    },
    endRemains,
    now: () => BEGIN,
    leaseNow: () => BEGIN,
  };
  await endLeftOver(deps, new Set());
  expect(seen).toEqual(["at the start: left", "when it is recorded: gone"]);
  expect((await runs.find(id))?.state).toBe("QUEUED");
});

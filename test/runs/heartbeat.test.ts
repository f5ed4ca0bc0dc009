import { expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "../../src/log.ts";
import { startHeartbeat } from "../../src/runs/lease.ts";
import { waitFor } from "../given/server.ts";
import { aRun, aStore } from "../given/store.ts";

const BEGIN = new Date("2026-01-01T10:00:00.000Z");
const TWO_HOURS_MS = 2 * 60 * 60_000;

test("a clock that is set forward during a heartbeat makes no run look lost", async () => {
  const { runs } = await aStore();
  const { id } = await runs.create(aRun({ title: "lives" }), BEGIN.toISOString());
  const lease = { worker: "a-worker", expiresAt: new Date(BEGIN.getTime() + 60_000).toISOString() };
  await runs.claim(1, lease, BEGIN.toISOString(), { automations: {}, factories: {} });
  vi.useFakeTimers({ toFake: ["setInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  let moments = 0;
  let looked = false;
  const stop = startHeartbeat("a-worker", createLog("silent"), {
    store: {
      renewLeases: runs.renewLeases,
      async listLeased(expiredBefore) {
        const found = await runs.listLeased(expiredBefore);
        looked = true;
        return found;
      },
      recoverLost: runs.recoverLost,
    },
    sandbox: { endLeftBehind: async () => true },
    // Set forward as soon as somebody has asked once.
    now: () => new Date(BEGIN.getTime() + (moments++ === 0 ? 0 : TWO_HOURS_MS)),
  });
  vi.advanceTimersByTime(15_000);
  await waitFor(() => looked || undefined);
  await stop();
  expect((await runs.find(id))?.state).toBe("CLAIMED");
});

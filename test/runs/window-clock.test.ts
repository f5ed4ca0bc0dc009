import { expect, test } from "vitest";
import { ALWAYS_LEADER } from "../../src/concurrency/rounds.ts";
import { createLog } from "../../src/log.ts";
import type { Factory } from "../../src/reconcile/running-factory.ts";
import { startWindowClock, type WindowClockDeps } from "../../src/runs/clocks.ts";
import { onFinished } from "../given/cleanup.ts";
import { AT } from "../given/store.ts";

type WindowStore = WindowClockDeps["store"];

/** A clock over a store in which there is nothing to do but what is given. */
function clockOver(given: Partial<WindowStore>) {
  const nothing: WindowStore = {
    closeDueWindows: async () => 0,
    findNextWindowEnd: async () => undefined,
    listStrandedKeys: async () => [],
    releaseKeys: async () => {},
    listOpenWindows: async () => [],
    endWindows: async () => 0,
  };
  const clock = startWindowClock({
    store: { ...nothing, ...given },
    leadership: ALWAYS_LEADER,
    onRuns() {},
    log: createLog("silent"),
    now: () => new Date(AT),
  });
  onFinished(clock.stop);
  return clock;
}

test("windows that are over do not wait for the search of keys that nobody has", async () => {
  const asked: string[] = [];
  await new Promise<void>((resolve) => {
    clockOver({
      findNextWindowEnd: async () => AT,
      async closeDueWindows() {
        asked.push("windows");
        return 0;
      },
      async listStrandedKeys() {
        asked.push("keys");
        resolve();
        return [];
      },
    });
  });
  expect(asked).toEqual(["windows", "keys"]);
});

test("windows of an automation that has none any more end by the thousand, until all have", async () => {
  let left = 2_500;
  const ended: number[] = [];
  await new Promise<void>((resolve) => {
    const clock = clockOver({
      listOpenWindows: async () => [{ factoryUid: "f", automationUid: "a", setting: "1000/10000" }],
      async endWindows(_windows, _at, limit) {
        const some = Math.min(left, limit);
        left -= some;
        ended.push(some);
        if (left === 0) resolve();
        return some;
      },
    });
    const active = { definition: { automations: [] }, uidOf: () => undefined };
    clock.activated([{ record: { uid: "f" }, active } as unknown as Factory]);
  });
  expect(ended).toEqual([1_000, 1_000, 500]);
});

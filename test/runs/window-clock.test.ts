import { expect, test } from "vitest";
import { ALWAYS_LEADER } from "../../src/concurrency/leadership.ts";
import { createLog } from "../../src/log.ts";
import { startWindowClock, type WindowClockDeps } from "../../src/runs/window-clock.ts";
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
    endWindows: async () => {},
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

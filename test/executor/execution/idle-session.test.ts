import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openLiveSession } from "../../../src/executor/execution/agent-session.ts";
import type { SessionDoor } from "../../../src/runs/turn/turn-door.ts";

const IDLE_MS = 100;

/** A session that nobody says anything to, and whether its input has ended. */
function aSession() {
  let isEnded = false;
  const door: SessionDoor = {
    open: async () => {},
    close: async () => {},
    listUngiven: async () => [],
    offer: async () => {},
    give: async () => {},
    confirm: async () => {},
    keepRest: async () => {},
    findIsWaiting: async () => false,
    reply: async () => undefined,
  };
  const input = {
    write: async () => ({ isTaken: true, isAnswered: Promise.resolve(true) }),
    end: () => {
      isEnded = true;
    },
    earlier: new Map(),
  };
  const session = openLiveSession({
    ...{ door, input, encode: String, idleMs: IDLE_MS },
    onGiven() {},
    onError(error) {
      throw error;
    },
  });
  return { session, isEnded: () => isEnded };
}

test("a session that has nothing to do ends after its time, and one that works again does not", async () => {
  const resting = aSession();
  const working = aSession();
  resting.session.rest();
  working.session.rest();
  // A report that came late: the agent has begun with a message in the meantime.
  working.session.stir();
  await expect.poll(resting.isEnded).toBe(true);
  await sleep(2 * IDLE_MS);
  expect(working.isEnded()).toBe(false);
  working.session.rest();
  await expect.poll(working.isEnded).toBe(true);
});

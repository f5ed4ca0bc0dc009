import { expect, test } from "vitest";
import { openLiveSession } from "../../../src/executor/execution/agent-session.ts";
import type { SessionDoor } from "../../../src/runs/turn/turn-door.ts";
import { waitFor } from "../../given/server.ts";

const MESSAGE = {
  id: "m1",
  message: "Hello.",
  isAnswer: false,
  isRepeated: false,
} as Awaited<ReturnType<SessionDoor["listUngiven"]>>[number];

test("a message is written to an agent once, although the store was away when that was to be recorded", async () => {
  const written: string[] = [];
  const given: string[] = [];
  const errors: unknown[] = [];
  let isAway = true;
  const door: SessionDoor = {
    open: async () => {},
    close: async () => {},
    listUngiven: async () => (given.includes(MESSAGE.id) ? [] : [MESSAGE]),
    offer: async () => {},
    async give(ids) {
      if (isAway) throw new Error("The store is unavailable.");
      given.push(...ids);
    },
    confirm: async () => {},
    keepRest: async () => {},
    findIsWaiting: async () => false,
    reply: async () => undefined,
  };
  const session = openLiveSession({
    door,
    input: {
      async write(text) {
        written.push(text);
        return { isTaken: true, isAnswered: Promise.resolve(true) };
      },
      end: () => {},
      earlier: new Map(),
    },
    encode: (message) => message,
    idleMs: undefined,
    onGiven: () => {},
    onError: (error) => void errors.push(error),
  });
  await waitFor(() => errors.length > 0);
  isAway = false;
  session.look();
  await waitFor(() => given.length > 0);
  await session.close();
  expect([written, given]).toEqual([["Hello."], ["m1"]]);
});

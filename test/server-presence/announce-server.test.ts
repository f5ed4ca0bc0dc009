import { hostname } from "node:os";
import { expect, test } from "vitest";
import { ALWAYS_LEADER } from "../../src/concurrency/rounds.ts";
import { programVersion } from "../../src/platform/version.ts";
import { type AnnounceOptions, announceServer } from "../../src/workers/server-presence.ts";
import { onFinished } from "../given/cleanup.ts";
import { waitFor } from "../given/server.ts";
import { AT, aStore } from "../given/store.ts";

const FOLLOWER = { isLeader: () => false, onLeading: () => () => {} };

/** Servers on one store, with a clock that is set. */
async function servers() {
  const { servers: store } = await aStore();
  let at = new Date(AT);
  const start = (uid: string, options: Partial<AnnounceOptions> = {}) => {
    const presence = announceServer({
      ...{ store, sharesStore: true, uid, concurrency: 4, executing: () => [1, 2], leadership: FOLLOWER },
      now: () => at,
      ...options,
    });
    onFinished(presence.stop);
    return presence;
  };
  const set = (seconds: number) => {
    at = new Date(Date.parse(AT) + seconds * 1_000);
  };
  const isStored = (uid: string) =>
    waitFor(async () => (await store.list()).some((each) => each.uid === uid));
  return { store, start, set, isStored };
}

test("a server that has its store to itself lists itself, and stores nothing", async () => {
  const { store, start } = await servers();
  const presence = start("a", { sharesStore: false, leadership: ALWAYS_LEADER });
  expect(await presence.list()).toEqual([
    {
      uid: "a",
      name: hostname(),
      version: programVersion(),
      startedAt: AT,
      seenAt: AT,
      isLeader: true,
      executing: 2,
      concurrency: 4,
      isAway: false,
      isThis: true,
    },
  ]);
  expect(await store.list()).toEqual([]);
});

test("each server lists all of them, and one that leads is the only leader", async () => {
  const { start, isStored } = await servers();
  const a = start("a", { leadership: ALWAYS_LEADER });
  const b = start("b");
  await isStored("a");
  await isStored("b");
  const listed = async (presence: typeof a) =>
    (await presence.list()).map(({ uid, isLeader, isThis }) => [uid, isLeader, isThis]);
  expect(await listed(a)).toEqual([
    ["a", true, true],
    ["b", false, false],
  ]);
  expect(await listed(b)).toEqual([
    ["b", false, true],
    ["a", true, false],
  ]);
});

test("a server that begins to lead says so at once", async () => {
  const { store, start, isStored } = await servers();
  let leads = false;
  let begin = () => {};
  const onLeading = (listener: () => void) => {
    begin = listener;
    return () => {};
  };
  start("a", { leadership: { isLeader: () => leads, onLeading } });
  await isStored("a");
  leads = true;
  begin();
  await waitFor(async () => (await store.list()).some(({ isLeader }) => isLeader));
});

test("a server that was not seen for 15 seconds is away, and leads no more", async () => {
  const { store, start, set } = await servers();
  const lost = { uid: "lost", name: "lost", version: "1.2.3", startedAt: AT, seenAt: AT, isLeader: true };
  await store.keepSeen({ ...lost, executing: 1, concurrency: 4 }, AT);
  const presence = start("a");
  const standing = async () => (await presence.list()).find(({ uid }) => uid === "lost");
  set(15);
  expect(await standing()).toMatchObject({ isAway: false, isLeader: true });
  set(16);
  expect(await standing()).toMatchObject({ isAway: true, isLeader: false });
});

test("a server that stops is not listed by the others any more", async () => {
  const { start, isStored } = await servers();
  const a = start("a");
  const b = start("b");
  await isStored("a");
  await a.stop();
  expect((await b.list()).map(({ uid }) => uid)).toEqual(["b"]);
});

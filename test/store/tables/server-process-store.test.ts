import { expect, test } from "vitest";
import type { ServerProcess } from "../../../src/workers/server-presence.ts";
import { AT, aStore, LATER } from "../../given/store.ts";

const BEFORE = "2026-11-20T10:00:00.000Z";

const aServer = (uid: string, changes: Partial<ServerProcess> = {}): ServerProcess => ({
  uid,
  name: "host",
  version: "1.2.3",
  startedAt: AT,
  seenAt: AT,
  isLeader: false,
  executing: 0,
  concurrency: 4,
  ...changes,
});

test("a server is kept as it was seen last", async () => {
  const { servers } = await aStore();
  await servers.keepSeen(aServer("a"), BEFORE);
  const later = aServer("a", {
    ...{ name: "other", version: "1.2.4", startedAt: LATER, seenAt: LATER },
    ...{ isLeader: true, executing: 3, concurrency: 8 },
  });
  await servers.keepSeen(later, BEFORE);
  expect(await servers.list()).toEqual([later]);
});

test("of several servers, one leads: the one that said so last", async () => {
  const { servers } = await aStore();
  await servers.keepSeen(aServer("a", { isLeader: true }), BEFORE);
  await servers.keepSeen(aServer("b", { isLeader: true }), BEFORE);
  await servers.keepSeen(aServer("c"), BEFORE);
  expect((await servers.list()).map(({ uid, isLeader }) => [uid, isLeader])).toEqual([
    ["a", false],
    ["b", true],
    ["c", false],
  ]);
});

test("a server is forgotten when it ends, and when it was not seen for long", async () => {
  const { servers } = await aStore();
  for (const uid of ["a", "b"]) await servers.keepSeen(aServer(uid), BEFORE);
  await servers.remove("a");
  expect((await servers.list()).map(({ uid }) => uid)).toEqual(["b"]);
  await servers.keepSeen(aServer("c", { seenAt: LATER }), LATER);
  expect((await servers.list()).map(({ uid }) => uid)).toEqual(["c"]);
});

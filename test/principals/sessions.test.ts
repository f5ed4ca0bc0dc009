import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createKeys } from "../../src/principals/keys.ts";
import { createSessions, pruneSessions } from "../../src/principals/session.ts";
import { aStore } from "../given/store.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const TIMES = { sessionIdleTimeout: HOUR, sessionLifetime: 24 * HOUR };

/** A store with a key and a clock that stands until it is moved. */
async function standing() {
  const { keys: keyStore, sessions: store, connection } = await aStore();
  let at = Date.parse("2026-03-01T12:00:00Z");
  const now = () => new Date(at);
  const keys = createKeys({ store: keyStore, now });
  const { key } = await keys.create({ name: "ann", kind: "personal", role: "viewer", factories: null });
  const sessions = createSessions({ store, keys, now, ...TIMES });
  const count = async () => (await connection.all("SELECT hash FROM sessions")).length;
  const prune = () => pruneSessions({ store, now, idleMs: TIMES.sessionIdleTimeout });
  const pass = (ms: number) => {
    at += ms;
  };
  return { keys, key, sessions, store, prune, count, pass };
}

test("a session lasts for as long as it is used now and then", async () => {
  const { sessions, key, pass } = await standing();
  const { id } = await sessions.begin(key);
  for (let n = 0; n < 5; n += 1) {
    pass(50 * MINUTE);
    expect((await sessions.recognise(id))?.id).toBe(key.id);
  }
  pass(HOUR);
  expect(await sessions.recognise(id)).toBeUndefined();
});

test("a stream that only looks keeps no session alive", async () => {
  const { sessions, key, pass } = await standing();
  const { id } = await sessions.begin(key);
  pass(59 * MINUTE);
  expect(await sessions.look(id)).toBeDefined();
  pass(MINUTE);
  expect(await sessions.look(id)).toBeUndefined();
});

test("a session ends after its lifetime however much it is used", async () => {
  const { sessions, key, pass } = await standing();
  const { id, session } = await sessions.begin(key);
  expect(session.expiresAt).toBe("2026-03-02T12:00:00.000Z");
  for (let n = 0; n < 47; n += 1) {
    pass(30 * MINUTE);
    expect(await sessions.recognise(id)).toBeDefined();
  }
  pass(30 * MINUTE);
  expect(await sessions.recognise(id)).toBeUndefined();
});

test("a use is written down at most once a minute", async () => {
  const { sessions, key, store, pass } = await standing();
  const { id } = await sessions.begin(key);
  const hash = createHash("sha256").update(id).digest("hex");
  const lastSeen = async () => (await store.find(hash))?.lastSeenAt;
  pass(MINUTE - 1);
  await sessions.recognise(id);
  expect(await lastSeen()).toBe("2026-03-01T12:00:00.000Z");
  pass(1);
  await sessions.recognise(id);
  expect(await lastSeen()).toBe("2026-03-01T12:01:00.000Z");
});

test("a session may what its key may, and ends with it", async () => {
  const { sessions, keys, key } = await standing();
  await keys.create({ name: "root", kind: "personal", role: "admin", factories: null });
  const { id } = await sessions.begin(key);
  expect(await sessions.recognise(id)).toMatchObject({ role: "viewer", name: "ann" });
  await keys.revoke(key.id);
  expect(await sessions.recognise(id)).toBeUndefined();
});

test("an ID is not what it is stored under, and another one belongs to no one", async () => {
  const { sessions, key } = await standing();
  const one = await sessions.begin(key);
  const other = await sessions.begin(key);
  expect(one.id).not.toBe(other.id);
  await sessions.end(one.id);
  expect(await sessions.recognise(one.id)).toBeUndefined();
  expect(await sessions.recognise(other.id)).toBeDefined();
  expect(await sessions.recognise("nobody's")).toBeUndefined();
});

test("sessions that have ended by themselves do not pile up", async () => {
  const { sessions, key, prune, count, pass } = await standing();
  for (let n = 0; n < 80; n += 1) await sessions.begin(key);
  pass(30 * MINUTE);
  const { id } = await sessions.begin(key);
  await prune();
  expect(await count()).toBe(81);
  pass(30 * MINUTE);
  await prune();
  expect(await count()).toBe(1);
  expect(await sessions.recognise(id)).toBeDefined();
});

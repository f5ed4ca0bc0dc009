import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSecretAnswers, expireSecretAnswers } from "../../../src/api/http/secret-answers.ts";
import { type Deferred, deferred } from "../../../src/concurrency/promises.ts";
import { createSealer, KEY_BYTES } from "../../../src/secrets/seal.ts";
import { DAY_MS } from "../../../src/time/duration.ts";
import { type Answer, aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { type Created, type Rotated, serveManaged } from "../../given/managed.ts";
import { type Server, startServer } from "../../given/server.ts";
import { AT, aStore } from "../../given/store.ts";

const kept = sharedByFile(() => serveManaged());
const keyed = (key: string) => ({ "idempotency-key": key });
const keysOf = async () =>
  (await kept().server.api<{ api_keys: object[] }>("GET", "/api-keys?limit=500")).api_keys.length;

describe("a request whose answer was lost, sent again with its key", () => {
  test("shows the secret that was rotated, which is still the one that counts", async () => {
    const { create, call, deliver } = kept();
    const { uid, url } = await create({ name: "rotated" });
    const rotate = () =>
      call<Rotated>("POST", `/webhooks/${uid}/rotate-secret`, { body: {}, headers: keyed("rotate-1") });
    const first = await rotate();
    const again = await rotate();
    expect([again.status, again.body, again.headers.get("etag")]).toEqual([
      200,
      first.body,
      first.headers.get("etag"),
    ]);
    expect(await deliver(url, first.body.secret)).toBe(202);
  });

  test("shows the secret of the webhook that was created, and creates no other", async () => {
    const { call } = kept();
    const send = () =>
      call<Created>("POST", "/webhooks", { body: { name: "made" }, headers: keyed("create-1") });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(again.body.secret).toBeDefined();
  });

  test("twenty times at once makes one API key, which each of the answers shows", async () => {
    const before = await keysOf();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        ask(kept().server, "POST", "/api-keys", { body: { name: "once" }, headers: keyed("key-1") }),
      ),
    );
    expect(new Set(answers.map(({ body }) => body.key)).size).toBe(1);
    expect(await keysOf()).toBe(before + 1);
  });

  test("takes effect when the first one was refused", async () => {
    const send = (name: string) =>
      kept().call("POST", "/webhooks", { body: { name }, headers: keyed("create-2") });
    expect((await send("not a name!")).status).toBe(400);
    expect((await send("now-right")).status).toBe(201);
  });
});

test("the same key with another body or for another webhook is refused, and nothing is rotated", async () => {
  const { create, call, deliver } = kept();
  const [a, b] = [await create({ name: "a" }), await create({ name: "b" })];
  const rotate = (uid: string, body: object) =>
    call("POST", `/webhooks/${uid}/rotate-secret`, { body, headers: keyed("rotate-2") });
  await rotate(a.uid, {});
  for (const other of [await rotate(b.uid, {}), await rotate(a.uid, { secret: "another" })])
    expect([other.status, other.body.code, other.headers.get("x-should-retry")]).toEqual([
      409,
      other.body.code,
      "false",
    ]);
  expect(await deliver(b.url, b.secret)).toBe(202);
});

test("what one API key was shown is shown to no other, also of the same role", async () => {
  const { server } = kept();
  const send = async (key: string) =>
    ask(server, "POST", "/api-keys", { body: { name: "mine" }, headers: keyed("key-2"), key });
  const mine = await send(await aKey(server, { role: "admin" }));
  const theirs = await send(await aKey(server, { role: "admin" }));
  expect([mine.status, theirs.status]).toEqual([201, 201]);
  expect(theirs.body.key).not.toBe(mine.body.key);
  const viewer = await send(await aKey(server, { role: "viewer" }));
  expect([viewer.status, viewer.body.key]).toEqual([403, undefined]);
});

test("a session is shown what it made itself, and neither another session of its key nor the key is", async () => {
  const { server } = kept();
  const key = await aKey(server, { role: "admin" });
  const browser = async () => {
    const signedIn = await server.fetch("/session", {
      method: "POST",
      body: JSON.stringify({ api_key: key }),
      headers: { "content-type": "application/json", origin: server.url },
    });
    const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    return (): Promise<Answer> =>
      ask(server, "POST", "/api-keys", {
        key: "",
        body: { name: "seen" },
        headers: { ...keyed("key-3"), cookie, origin: server.url },
      });
  };
  const [mine, other] = [await browser(), await browser()];
  const first = await mine();
  expect(first.status).toBe(201);
  expect((await mine()).body).toEqual(first.body);
  expect((await other()).body.key).not.toBe(first.body.key);
  const byKey = await ask(server, "POST", "/api-keys", {
    key,
    body: { name: "seen" },
    headers: keyed("key-3"),
  });
  expect(byKey.body.key).not.toBe(first.body.key);
});

describe("the same request", () => {
  /** Servers of one store. */
  async function servers() {
    const store = await aStore();
    const clock = { now: Date.parse(AT) };
    const sealer = createSealer(Buffer.alloc(KEY_BYTES, 1));
    let made = 0;
    const begun: Deferred<void>[] = [];
    const server = () => {
      const answers = createSecretAnswers({
        store: store.secretAnswers,
        sealer,
        now: () => new Date(clock.now),
      });
      return (key = "k", id = "key-id", carriedOut: () => Promise<unknown> = async () => {}) => {
        const request = { headers: keyed(key), path: "/api-keys" };
        const caller = { kind: "key", key: { id, principal: { uid: "p" } } };
        return answers.once({ caller, body: {}, http: { request } } as never, async () => {
          made += 1;
          for (const each of begun) each.resolve();
          await carriedOut();
          return { json: { key: `secret ${made}` } } as never;
        });
      };
    };
    /** Resolves when the next request is carried out. */
    const beginning = () => {
      const next = deferred<void>();
      begun.push(next);
      return next.promise;
    };
    return { server, store, clock, beginning, count: () => made };
  }

  test("is answered again for a minute by any server, and is then refused and has no effect", async () => {
    const { server, clock, count } = await servers();
    const [a, b] = [server(), server()];
    const first = await a();
    clock.now += 59_000;
    expect([await a(), await b()]).toEqual([first, first]);
    clock.now += 2_000;
    for (const send of [a, b]) await expect(send()).rejects.toMatchObject({ code: "conflict" });
    expect(count()).toBe(1);
  });

  test("waits at another server until it is answered", async () => {
    const { server, beginning, count } = await servers();
    const carriedOut = deferred<void>();
    const begun = beginning();
    const first = server()("k", "key-id", () => carriedOut.promise);
    await begun;
    const again = server()();
    carriedOut.resolve();
    expect(await again).toEqual(await first);
    expect(count()).toBe(1);
  });

  test("is asked for later when its first attempt takes long, and is carried out when that was abandoned", async () => {
    const { server, clock, beginning, count } = await servers();
    const never = deferred<void>();
    const begun = beginning();
    const first = server()("k", "key-id", () => never.promise);
    await begun;
    const waiting = server()();
    clock.now += 11_000;
    await expect(waiting).rejects.toMatchObject({ code: "service_unavailable", retryAfter: 5 });
    clock.now += 60_000;
    const next = await server()();
    never.resolve();
    await first;
    expect(await server()()).toEqual(next);
    expect(count()).toBe(2);
  });

  test("is carried out again when it had no effect", async () => {
    const { server, count } = await servers();
    await expect(server()("k", "key-id", () => Promise.reject(new Error("refused")))).rejects.toThrow(
      "refused",
    );
    await server()();
    expect(count()).toBe(2);
  });

  test("of one key is not forgotten because another key sends a thousand", async () => {
    const { server, count } = await servers();
    const send = server();
    await send("mine", "a");
    for (let n = 0; n < 1_000; n += 1) await send(`theirs-${n}`, "b");
    await send("mine", "a");
    expect(count()).toBe(1_001);
  });

  test("leaves nothing in the store that shows its secret, its sender or its key", async () => {
    const { server, store } = await servers();
    const row = () => store.connection.first("SELECT * FROM secret_answers");
    await server()("an-idempotency-key", "id-of-a-key");
    const stored = JSON.stringify(await row(), (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value,
    );
    expect(stored).not.toMatch(/secret 1|an-idempotency-key|id-of-a-key/);
    expect(stored.length).toBeGreaterThan(200);
  });

  test("is forgotten after a day, and its answer after a minute", async () => {
    const { server, store, clock, count } = await servers();
    await server()();
    const expire = () => expireSecretAnswers({ store: store.secretAnswers, now: () => new Date(clock.now) });
    const sealed = async () =>
      (await store.connection.all<{ sealed: unknown }>("SELECT sealed FROM secret_answers")).map((row) =>
        Boolean(row.sealed),
      );
    await expire();
    expect(await sealed()).toEqual([true]);
    clock.now += 61_000;
    await expire();
    expect(await sealed()).toEqual([false]);
    clock.now += DAY_MS;
    await expire();
    expect(await sealed()).toEqual([]);
    await server()();
    expect(count()).toBe(2);
  });
});

test("a request is answered again after the server has started again", async () => {
  const dataDir = join(temporaryFolder(), "data");
  const send = (server: Server) =>
    ask(server, "POST", "/api-keys", { body: { name: "after" }, headers: keyed("key-4") });
  const before = await startServer({ sources: [], dataDir });
  const first = await send(before);
  await before.stop();
  const again = await send(await startServer({ sources: [], dataDir }));
  expect([again.status, again.body]).toEqual([201, first.body]);
});

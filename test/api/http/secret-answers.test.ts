import { afterEach, describe, expect, test, vi } from "vitest";
import { createSecretAnswers } from "../../../src/api/http/secret-answers.ts";
import { type Answer, aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { type Created, type Rotated, serveManaged } from "../../given/managed.ts";

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

describe("after the answer was given", () => {
  afterEach(() => void vi.useRealTimers());

  const sendBy = (answers: ReturnType<typeof createSecretAnswers>) => {
    let made = 0;
    const send = (key = "k", id = "key-id") => {
      const request = { headers: keyed(key), path: "/api-keys" };
      const caller = { kind: "key", key: { id, principal: { uid: "p" } } };
      return answers.once({ caller, body: {}, http: { request } } as never, async () => {
        made += 1;
        return { json: { key: `secret ${made}` } } as never;
      });
    };
    return { send, count: () => made };
  };

  test("it is given again for a minute, and then the repeated request is refused and has no effect", async () => {
    vi.useFakeTimers();
    const { send, count } = sendBy(createSecretAnswers());
    const first = await send();
    vi.advanceTimersByTime(59_000);
    expect(await send()).toBe(first);
    vi.advanceTimersByTime(2_000);
    await expect(send()).rejects.toMatchObject({ code: "conflict" });
    expect(count()).toBe(1);
  });

  test("what a key sends a thousand times makes the server forget nothing of another key", async () => {
    const { send, count } = sendBy(createSecretAnswers());
    await send("mine", "a");
    for (let n = 0; n < 1_000; n += 1) await send(`theirs ${n}`.replace(" ", "-"), "b");
    await send("mine", "a");
    expect(count()).toBe(1_001);
  });
});

import { describe, expect, test, vi } from "vitest";
import { deferred } from "../../src/concurrency/promises.ts";
import { createCommitSignal } from "../../src/concurrency/rounds.ts";
import { newUid } from "../../src/id.ts";
import { silentLog } from "../../src/log.ts";
import { followDefinitions } from "../../src/server/follow-others.ts";
import { onFinished } from "../given/cleanup.ts";
import { githubSignature } from "../given/ingress.ts";
import { post } from "../given/sender.ts";
import { deliver, twoServers } from "../given/two-servers.ts";

/** Server B with a delivery that was authenticated and matched, and that is recorded when it is told to. */
async function matchedAtB() {
  let [isHeld, matched] = [false, deferred<void>()];
  const goOn = deferred<void>();
  const {
    a,
    b,
    store,
    uid: factoryUid,
  } = await twoServers({
    async beforeRecord() {
      if (!isHeld) return;
      isHeld = false;
      matched.resolve();
      await goOn.promise;
    },
  });
  const { uid, secret } = await a.create({ name: "ci" });
  const url = b.urlOf(uid);
  expect(await deliver(url, secret)).toBe(202);
  isHeld = true;
  matched = deferred();
  const status = deliver(url, secret);
  await matched.promise;
  const outcomes = async () =>
    (await store.deliveries.listByWebhook({ factoryUid, uid }, { limit: 9 })).map(({ outcome }) => outcome);
  return { a, b, uid, factoryUid, goOn, status, outcomes };
}

describe("a delivery that server B has matched and not recorded yet", () => {
  test("is refused when server A has rotated the secret", async () => {
    const { a, uid, goOn, status, outcomes } = await matchedAtB();
    await a.rotate(uid);
    goOn.resolve();
    expect(await status).toBe(401);
    expect(await outcomes()).toEqual(["Rejected (auth)", "Accepted"]);
  });

  test("is refused when server A has disabled the webhook", async () => {
    const { a, uid, goOn, status, outcomes } = await matchedAtB();
    await a.change(uid, { enabled: false });
    goOn.resolve();
    expect(await status).toBe(404);
    expect(await outcomes()).toEqual(["Accepted"]);
  });

  test("is refused when server A has deleted the factory", async () => {
    const { a, b, factoryUid, goOn, status, outcomes } = await matchedAtB();
    await a.deleteFactory(factoryUid);
    goOn.resolve();
    expect(await status).toBe(404);
    expect(await outcomes()).toEqual(["Accepted"]);
    expect(b.factories.list()).toEqual([]);
  });

  test("is accepted once when server A has changed something else of the factory", async () => {
    const { a, goOn, status, outcomes } = await matchedAtB();
    await a.create({ name: "another" });
    goOn.resolve();
    expect(await status).toBe(202);
    expect(await outcomes()).toEqual(["Accepted", "Accepted"]);
  });

  test("is answered with 503 when the definition changes each time that it is matched", async () => {
    let uid = "";
    const { a, b } = await twoServers({
      async beforeRecord() {
        await a.change(uid, { deliveryIdHeader: `X-${newUid()}` });
      },
    });
    const made = await a.create({ name: "ci" });
    uid = made.uid;
    const headers = { authorization: `Bearer ${made.secret}` };
    const { status, headers: answered } = await post(b.urlOf(uid), "{}", headers);
    expect([status, answered.get("retry-after")]).toEqual([503, "1"]);
  });
});

describe("server B refuses nobody who is right by what server A has changed:", () => {
  test("a webhook that was just made, in a factory that was just made, takes signed deliveries", async () => {
    const { a, b } = await twoServers();
    const factory = await a.makeFactory("other");
    const signed = { name: "hook", authMode: "signature", signatureScheme: "github" } as const;
    const { uid, secret } = await a.create(signed, factory);
    const send = (key: string) => post(b.urlOf(uid), '{"n":1}', githubSignature('{"n":1}', key));
    expect((await send(secret)).status).toBe(202);
    expect((await send("another")).status).toBe(401);
  });

  test("a webhook whose way of authenticating was changed takes the new one", async () => {
    const { a, b } = await twoServers();
    const { uid, secret } = await a.create({ name: "ci" });
    expect(await deliver(b.urlOf(uid), secret)).toBe(202);
    const signing = "authMode: signature\nsignatureScheme: github\nsecretName: CI\n";
    const { secretName } = a.only().active?.definition.webhooks[0] ?? { secretName: "" };
    await a.edit(() => ({
      message: "Sign",
      files: [{ path: "webhooks/ci.yaml", content: Buffer.from(signing.replace("CI", secretName)) }],
    }));
    const signature = githubSignature('{"n":1}', secret);
    expect((await post(b.urlOf(uid), '{"n":1}', signature)).status).toBe(202);
    expect(await deliver(b.urlOf(uid), secret)).toBe(401);
  });

  test("a delivery can be sent again as soon as its webhook is enabled", async () => {
    const { a, b, store, uid: factoryUid } = await twoServers();
    const { uid, secret } = await a.create({ name: "ci" });
    expect(await deliver(b.urlOf(uid), secret)).toBe(202);
    const [delivery] = await store.deliveries.listByWebhook({ factoryUid, uid }, { limit: 1 });
    if (!delivery) throw new Error("the delivery was not recorded");
    await a.change(uid, { enabled: false });
    await expect(b.gate.redeliver(delivery)).rejects.toThrow("is disabled");
    await a.change(uid, { enabled: true });
    expect(await b.gate.redeliver(delivery)).toMatchObject({ outcome: "Accepted" });
  });
});

test("requests that are refused at the same time share one look at the store, and those to no UID need none", async () => {
  let [looks, received, isHolding] = [0, 0, false];
  const all = deferred<void>();
  const { b } = await twoServers({
    before: {
      async findLatestGeneration() {
        looks += 1;
        if (isHolding) await all.promise;
      },
    },
    onRequest() {
      received += 1;
      if (received === 201) all.resolve();
    },
  });
  expect(await deliver(b.urlOf(newUid()), "x")).toBe(404);
  isHolding = true;
  looks = 0;
  const statuses = Promise.all(Array.from({ length: 200 }, () => deliver(b.urlOf(newUid()), "x")));
  expect(new Set(await statuses)).toEqual(new Set([404]));
  // The first one began before the others had asked.
  expect(looks).toBe(2);
  expect(await deliver(b.urlOf("no-uid"), "x")).toBe(404);
  expect(looks).toBe(2);
});

test("a server that has its store to itself asks it nothing before it refuses", async () => {
  const { a, b } = await twoServers({ sharesStore: false });
  const { uid, secret } = await a.create({ name: "ci" });
  expect(await deliver(b.urlOf(uid), secret)).toBe(404);
});

test("a server takes in what another one has changed without any request, and what it has deleted", async () => {
  const { a, b, uid } = await twoServers();
  const commits = createCommitSignal();
  onFinished(followDefinitions({ factories: b.factories, commits, log: silentLog }));
  const webhook = await a.create({ name: "ci" });
  commits.committed();
  await vi.waitFor(() => expect(b.webhooks().map((each) => each.uid)).toEqual([webhook.uid]), 5_000);
  await a.only().suspend();
  await vi.waitFor(() => expect(b.only().record.sync.status).toBe("suspended"), 5_000);
  await a.deleteFactory(uid);
  await vi.waitFor(() => expect(b.factories.list()).toEqual([]), 5_000);
});

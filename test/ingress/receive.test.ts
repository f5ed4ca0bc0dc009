import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, FACTORY, signatureWebhook, TOKEN_WEBHOOK } from "../given/definition.ts";
import { anIngress, githubSignature } from "../given/ingress.ts";
import { rawPost, sendRaw } from "../given/raw-http.ts";
import { hmacOf, post, signedWebhook } from "../given/sender.ts";
import { waitFor } from "../given/server.ts";
import { AMPLE_BUDGETS, serving } from "../given/serving.ts";

const TOKEN = "the-token-of-the-ci-webhook";

const stage = sharedByFile(async () => {
  const files = {
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "webhooks/signed.yaml": signatureWebhook("github", "CI_SECRET"),
    "webhooks/off.yaml": `${TOKEN_WEBHOOK}enabled: false\n`,
    "webhooks/named.yaml": `${TOKEN_WEBHOOK}deliveryIdHeader: X-Event\n`,
    "automations/a.md": automationOn(["ci"], { go: [true] }),
  };
  const { server, story } = await serving(files, { CI_SECRET: TOKEN }, { env: AMPLE_BUDGETS });
  return {
    server,
    story,
    ci: await story.webhook("ci"),
    signed: await story.webhook("signed"),
    off: await story.webhook("off"),
    named: await story.webhook("named"),
  };
});

describe("a delivery", () => {
  test.each<[string, string | Buffer]>([
    ["an object", '{"a":1}'],
    ["an array", "[1]"],
    ["a text", '"x"'],
    ["a number", "1e400"],
    ["null", "null"],
    ["white space around it", ' \n{"b":1}\t\n'],
    ["ten thousand brackets", "[".repeat(10_000) + "]".repeat(10_000)],
    ["keys of the language", '{"__proto__":1,"constructor":2,"toString":3}'],
    ["the same key twice", '{"a":1,"a":2}'],
    ["256 KB to the byte", `"${"x".repeat(262_142)}"`],
  ])("of %s is accepted and stored byte for byte", async (_, body) => {
    const { server, story, ci } = stage();
    const id = await story.accept(ci.url, TOKEN, body);
    const answer = await server.fetch(`/api/v1/factories/acme/deliveries/${id}/payload`, {
      headers: { authorization: "Bearer test-admin-key-0123456789" },
    });
    // Compared as a whole: byte by byte takes vitest seconds.
    expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(body))).toBe(true);
    expect(await story.delivery(id)).toMatchObject({ outcome: "Accepted", size: Buffer.byteLength(body) });
  });

  test.each<[string, string | Buffer]>([
    ["nothing", ""],
    ["half an object", '{"a":'],
    ["a form", "a=1&b=2"],
    ["a byte order mark", "\uFEFF{}"],
    ["bytes that are no UTF-8", Buffer.from([0x22, 0xff, 0x22])],
    ["a bare word", "NaN"],
    ["single quotes", "{'a':1}"],
  ])("of %s is not JSON", async (_, body) => {
    const { story, ci } = stage();
    const answer = await story.deliver(ci.url, TOKEN, body);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([400, "application/problem+json"]);
    const [last] = await story.deliveries(ci.uid);
    expect(last).toMatchObject({
      outcome: "Rejected (invalid JSON)",
      size: Buffer.byteLength(body),
      identity: null,
      reason: "the body is not JSON",
    });
    expect(last).not.toHaveProperty("payload");
  });

  test("that is a form is refused with its Content-Type and what to send instead", async () => {
    const { story, ci } = stage();
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/x-www-form-urlencoded" };
    expect((await fetch(ci.url, { method: "POST", body: "a=1", headers })).status).toBe(400);
    expect((await story.deliveries(ci.uid))[0]?.reason).toBe(
      "the body is not JSON: its Content-Type is application/x-www-form-urlencoded; configure the sender to send application/json",
    );
  });

  test("that is broken JSON is not taken for a form, whatever curl says its Content-Type is", async () => {
    const { story, ci } = stage();
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/x-www-form-urlencoded" };
    expect((await fetch(ci.url, { method: "POST", body: " {'a':1}", headers })).status).toBe(400);
    expect((await story.deliveries(ci.uid))[0]?.reason).toBe("the body is not JSON");
  });

  test.each<[string, Record<string, string>, string]>([
    ["that says so", { "content-encoding": "gzip" }, "Content-Encoding: gzip"],
    ["that does not say so", {}, "gzip"],
    ["that says something else", { "content-encoding": "identity" }, "Content-Encoding: identity"],
  ])("of compressed bytes %s is refused with what to change at the sender", async (_, said, how) => {
    const { story, ci, signed } = stage();
    const reason = `the body is compressed (${how}), and bodies are not decompressed; configure the sender to send it uncompressed`;
    const body = new Uint8Array(gzipSync('{"go":true}'));
    const headers = { authorization: `Bearer ${TOKEN}`, ...said };
    expect((await fetch(ci.url, { method: "POST", body, headers })).status).toBe(400);
    expect((await story.deliveries(ci.uid))[0]).toMatchObject({ outcome: "Rejected (invalid JSON)", reason });
    // The body was signed before it was compressed.
    const signature = { "x-hub-signature-256": `sha256=${hmacOf('{"go":true}', TOKEN)}`, ...said };
    expect((await fetch(signed.url, { method: "POST", body, headers: signature })).status).toBe(401);
    expect((await story.deliveries(signed.uid))[0]).toMatchObject({
      outcome: "Rejected (auth)",
      reason: `no signature matches the body and the webhook's secret; ${reason}`,
    });
  });

  test.each<[string, Record<string, string>, string]>([
    ["without a credential", { authorization: "" }, "missing"],
    ["with another token", { authorization: "Bearer wrong" }, "the bearer token does not match"],
    ["with the token and more", { authorization: `Bearer ${TOKEN}x` }, "the bearer token does not match"],
    ["with basic authentication", { authorization: `Basic ${TOKEN}` }, "does not have the form"],
    ["with an empty token", { authorization: "Bearer " }, "does not have the form"],
  ])("%s is refused, and only its owner learns why", async (_, headers, reason) => {
    const { story, ci } = stage();
    const answer = await fetch(ci.url, {
      method: "POST",
      body: '{"go":true}',
      headers: headers.authorization ? headers : {},
    });
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain(reason);
    expect((await story.deliveries(ci.uid))[0]).toMatchObject({
      outcome: "Rejected (auth)",
      reason: expect.stringContaining(reason),
      run_ids: [],
    });
  });

  test("with two Authorization headers is refused, even when one is right", async () => {
    const { story, ci } = stage();
    const status = await new Promise((resolve, reject) => {
      const sent = request(
        ci.url,
        {
          method: "POST",
          headers: ["Authorization", `Bearer ${TOKEN}`, "Authorization", `Bearer ${TOKEN}`, "Host", "x"],
        },
        (answer) => resolve(answer.statusCode),
      );
      sent.on("error", reject);
      sent.end("{}");
    });
    expect(status).toBe(401);
    expect((await story.deliveries(ci.uid))[0]?.reason).toContain("repeated");
  });

  test("that is one byte too large is refused", async () => {
    const { story, ci } = stage();
    expect((await story.deliver(ci.url, TOKEN, `"${"x".repeat(262_143)}"`)).status).toBe(413);
    expect((await story.deliveries(ci.uid))[0]).toMatchObject({
      outcome: "Rejected (too large)",
      size: 262_145,
    });
  });

  test.each(["nobody", "x".repeat(5_000), "%2e%2e", "a/b/c", ""])(
    "to the address %s finds nothing",
    async (uid) => {
      expect(
        (await fetch(`${stage().server.url}/webhooks/w/${uid}`, { method: "POST", body: "{}" })).status,
      ).toBe(404);
    },
  );

  test("to a disabled webhook finds nothing, with the right token too", async () => {
    const { story, off } = stage();
    expect(off.status).toBe("disabled");
    expect((await story.deliver(off.url, TOKEN, "{}")).status).toBe(404);
    expect(await story.deliveries(off.uid)).toEqual([]);
  });

  test.each(["GET", "PUT", "DELETE", "HEAD"])("by %s is not allowed", async (method) => {
    const answer = await fetch(stage().ci.url, { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("starts a run only when the filter matches", async () => {
    const { story, ci } = stage();
    expect(
      (await story.delivery(await story.accept(ci.url, TOKEN, '{"go":true,"n":1}'))).run_ids,
    ).toHaveLength(1);
    expect((await story.delivery(await story.accept(ci.url, TOKEN, '{"go":false,"n":1}'))).run_ids).toEqual(
      [],
    );
  });
});

describe("the identity of a delivery", () => {
  test("is its body, when the sender sets none", async () => {
    const { story, ci } = stage();
    const id = await story.accept(ci.url, TOKEN, '{"same":1}');
    expect(await story.accept(ci.url, TOKEN, '{"same":1}')).toBe(id);
    expect(await story.accept(ci.url, TOKEN, '{"same": 1}')).not.toBe(id);
    expect((await story.delivery(id)).identity).toMatchObject({
      source: "body_hash",
      value: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test("is the service's header, whatever the body", async () => {
    const { story, ci } = stage();
    const id = await story.accept(ci.url, TOKEN, '{"v":1}', { "X-Service-Delivery-Id": "event-1" });
    expect(await story.accept(ci.url, TOKEN, '{"v":2}', { "x-service-delivery-id": "event-1" })).toBe(id);
    const [duplicate] = await story.deliveries(ci.uid);
    expect(duplicate).toMatchObject({
      outcome: "Duplicate",
      duplicate_of: id,
      body_differs: true,
      identity: { source: "service_header", value: "event-1" },
    });
    expect(await story.accept(ci.url, TOKEN, '{"v":1}', { "X-Service-Delivery-Id": "event-2" })).not.toBe(id);
  });

  test("is the header that the webhook names, before the service's own", async () => {
    const { story, named } = stage();
    const id = await story.accept(named.url, TOKEN, '{"v":1}', {
      "X-Event": "e1",
      "X-Service-Delivery-Id": "s1",
    });
    expect(
      await story.accept(named.url, TOKEN, '{"v":1}', { "X-Event": "e1", "X-Service-Delivery-Id": "s2" }),
    ).toBe(id);
    expect((await story.delivery(id)).identity).toEqual({ source: "configured_header", value: "e1" });
    expect(await story.accept(named.url, TOKEN, '{"v":1}', { "X-Service-Delivery-Id": "s1" })).not.toBe(id);
  });

  test("is of its webhook alone", async () => {
    const { story, ci, named } = stage();
    const headers = { "X-Service-Delivery-Id": "shared" };
    expect(await story.accept(ci.url, TOKEN, "{}", headers)).not.toBe(
      await story.accept(named.url, TOKEN, "{}", headers),
    );
  });

  test("decides between two that arrive at the same time: one starts a run, the other is its duplicate", async () => {
    const { story, ci } = stage();
    for (let round = 0; round < 20; round += 1) {
      const body = JSON.stringify({ go: true, round });
      const ids = await Promise.all([1, 2, 3, 4].map(() => story.accept(ci.url, TOKEN, body)));
      expect(new Set(ids).size).toBe(1);
      expect((await story.delivery(ids[0] ?? "")).run_ids).toHaveLength(1);
    }
  });
});

const SECRET = "the-secret";
const ROOM_BYTES = 100;
const FAILURES_ALLOWED = 2;

test("when bodies on their way fill the room, others are asked to come again and are not blamed for it", async () => {
  const room = { bytes: ROOM_BYTES, bodies: 10 };
  const options = { room, failuresPerMinute: FAILURES_ALLOWED };
  const { url } = await anIngress(signedWebhook("github"), SECRET, options);
  const send = async (text: string) => {
    const answer = await post(url, text, githubSignature(text, SECRET));
    return [answer.status, answer.headers.get("retry-after")];
  };
  const body = (n: number) => JSON.stringify({ n, text: "x".repeat(40) });
  expect(await send(body(0))).toEqual([202, null]);

  const slow = sendRaw(url, [rawPost(url, { "content-length": "90" }, "x".repeat(80)), 1_500], {
    waitMs: 1_500,
  });
  await waitFor(async () => (await send(body(1)))[0] === 503 || undefined);
  for (let n = 0; n < FAILURES_ALLOWED + 2; n += 1) expect(await send(body(2))).toEqual([503, "1"]);
  await slow;

  await waitFor(async () => (await send(body(3)))[0] === 202 || undefined);
});

test("a secret that its scheme cannot use is a warning at its line, and no delivery is accepted", async () => {
  const { story } = await serving(
    { ...FACTORY, "webhooks/standard.yaml": signatureWebhook("standard_webhooks", "HOOK_SECRET") },
    { HOOK_SECRET: "whsec_this is not base64" },
  );
  const { sync } = await story.factory();
  expect(sync.status).toBe("synced");
  expect(sync.problems).toContainEqual(
    expect.objectContaining({
      severity: "warning",
      path: "webhooks/standard.yaml",
      line: 3,
      message: expect.stringContaining("is not base64"),
    }),
  );
  const { url, uid, status } = await story.webhook("standard");
  expect(status).toBe("active");
  expect((await post(url, "{}")).status).toBe(401);
  expect((await story.deliveries(uid))[0]?.reason).toContain("the webhook's secret is not base64");
});

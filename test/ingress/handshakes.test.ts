import { describe, expect, test } from "vitest";
import type { WrittenScheme } from "../../src/definitions/schemes/scheme.ts";
import { signDelivery } from "../../src/ingress/test-delivery.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { FACTORY, load, problemsOf, signatureWebhook } from "../given/definition.ts";
import { check, hmacOf, NOW_SECONDS, post, SIGNING_SECRET, signedWebhook } from "../given/sender.ts";
import { serving } from "../given/serving.ts";

const PREVIOUS_SECRET = "the-secret-token-before-the-rotation";

/** https://developers.zoom.us/docs/api/rest/webhook-reference/ */
const ZOOM = {
  header: "x-zm-signature",
  prefix: "v0=",
  signed: [{ text: "v0:" }, "timestamp", { text: ":" }, "body"],
  timestamp: { header: "x-zm-request-timestamp" },
  handshake: {
    when: { event: ["endpoint.url_validation"] },
    answer: {
      plainToken: { body: ["payload", "plainToken"] },
      encryptedToken: { hmac: { body: ["payload", "plainToken"] }, encoding: "hex" },
    },
  },
};

/** The least of a scheme: what a signature covers is nothing but the body. */
const BARE = {
  header: "x-own-signature",
  handshake: {
    when: { kind: ["ping"] },
    answer: { pong: { hmac: { body: ["token"] }, encoding: "base64" }, id: { body: ["id"] } },
  },
};

const custom = (scheme: object, secret = "HOOK_SECRET", more: object = {}) =>
  `${signatureWebhook("custom", secret)}millrace: ${JSON.stringify({ scheme, ...more })}\n`;

const stage = sharedByFile(() =>
  serving(
    {
      ...FACTORY,
      "webhooks/zoom.yaml": custom(ZOOM),
      "webhooks/bare.yaml": custom(BARE),
      "webhooks/rotated.yaml": custom(ZOOM, "HOOK_SECRET", {
        previousSecretName: "HOOK_SECRET_BEFORE",
        until: "2999-01-01T00:00:00Z",
      }),
    },
    { HOOK_SECRET: SIGNING_SECRET, HOOK_SECRET_BEFORE: PREVIOUS_SECRET },
  ),
);

function ask(url: string, body: object, key = SIGNING_SECRET) {
  const text = JSON.stringify(body);
  const time = String(Math.floor(Date.now() / 1_000));
  return post(url, text, {
    "x-zm-request-timestamp": time,
    "x-zm-signature": `v0=${hmacOf(`v0:${time}:${text}`, key)}`,
  });
}

const validation = (plainToken: unknown) => ({
  payload: { plainToken },
  event_ts: 1654503849680,
  event: "endpoint.url_validation",
});

describe("Zoom's request to validate the URL", () => {
  const TOKEN = "qgg8vlvZRS6UYooatFL8Aw";

  test("is answered as its documentation says when it is signed, and is not a delivery", async () => {
    const { story } = stage();
    const { url, uid } = await story.webhook("zoom");
    const before = await story.deliveries(uid);
    const answer = await ask(url, validation(TOKEN));
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { plainToken: TOKEN, encryptedToken: hmacOf(TOKEN) },
    ]);
    expect(await story.deliveries(uid)).toEqual(before);
    expect((await ask(url, { event: "meeting.started", payload: { plainToken: TOKEN } })).status).toBe(202);
  });

  test("is refused without an answer when its signature is missing or wrong", async () => {
    const url = await stage().story.urlOf("zoom");
    for (const answer of [
      await post(url, JSON.stringify(validation(TOKEN))),
      await ask(url, validation(TOKEN), "another"),
    ]) {
      expect(answer.status).toBe(401);
      expect(await answer.text()).not.toContain(hmacOf(TOKEN));
    }
  });

  test("is answered by the secret that signed it in the overlap of a rotation", async () => {
    const url = await stage().story.urlOf("rotated");
    for (const key of [SIGNING_SECRET, PREVIOUS_SECRET]) {
      const answer = await ask(url, validation(TOKEN), key);
      expect(await answer.json()).toEqual({ plainToken: TOKEN, encryptedToken: hmacOf(TOKEN, key) });
    }
  });

  test.each<[string, string]>([
    ["is a delivery as it is signed", `v0:1795262400:{"event":"meeting.started"}`],
    ["has brackets", "[1]"],
    ["has a line break at its end", "abc\n"],
    ["is longer than any token", "a".repeat(513)],
    ["is empty", ""],
  ])("is refused, and the owner told why, when its token %s", async (_, token) => {
    const { story } = stage();
    const { url, uid } = await story.webhook("zoom");
    const answer = await ask(url, validation(token));
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain(hmacOf(token));
    expect((await story.deliveries(uid))[0]).toMatchObject({
      outcome: "Rejected (auth)",
      reason: expect.stringContaining("the handshake asks to sign payload.plainToken, which is not a token"),
    });
  });

  test("is a delivery like any other when it has no token to answer with", async () => {
    const url = await stage().story.urlOf("zoom");
    expect((await ask(url, validation(5))).status).toBe(202);
    expect((await ask(url, { event: "endpoint.url_validation" })).status).toBe(202);
  });
});

test("what a handshake has signed lets in no delivery, even where a signature covers the body alone", async () => {
  const { story } = stage();
  const { url, uid } = await story.webhook("bare");
  const send = (body: string, signature: string) => post(url, body, { "x-own-signature": signature });
  for (const token of ["17", "true", "null", "-1.5e3"]) {
    const question = JSON.stringify({ kind: "ping", token, id: "i" });
    const { pong, id } = (await (await send(question, hmacOf(question))).json()) as Record<string, string>;
    expect(id).toBe("i");
    const signature = Buffer.from(pong ?? "", "base64").toString("hex");
    expect(signature).toBe(hmacOf(token));
    expect((await send(token, signature)).status).toBe(401);
    expect((await story.deliveries(uid))[0]?.reason).toMatch(/^the body is not a JSON object or list/);
  }
  expect((await send("[17]", hmacOf("[17]"))).status).toBe(202);
});

describe("what recognizes a handshake", () => {
  const problems = (handshake: object) =>
    problemsOf({ ...FACTORY, "webhooks/own.yaml": custom({ header: "X-Own", handshake }) });
  const answer = { a: { body: ["a"] } };

  test("is a payload filter, checked as such", async () => {
    expect(await problems({ when: { event: ["ping"] }, answer })).toEqual([]);
    const scalar = {
      ...FACTORY,
      "webhooks/own.yaml": custom({ header: "X-Own", handshake: { when: { event: "ping" }, answer } }),
    };
    expect((await load(scalar)).problems).toMatchObject([
      {
        code: "FF_INVALID_FILTER",
        path: "webhooks/own.yaml",
        message: 'payload field "event": expected a list of values, for example ["ping"]',
      },
    ]);
    expect(await problems({ when: { event: { in: ["a"], not_in: ["a"] } }, answer })).toHaveLength(1);
    expect(await problems({ when: { in: ["a"] }, answer })).toHaveLength(1);
  });

  test.each<[string, object]>([
    ["that is missing", { answer }],
    ["that is empty", { when: {}, answer }],
    ["without an answer", { when: { event: ["ping"] }, answer: {} }],
    ["with an HMAC in no encoding", { when: { event: ["ping"] }, answer: { a: { hmac: { body: ["a"] } } } }],
    ["with an answer from nowhere", { when: { event: ["ping"] }, answer: { a: "text" } }],
  ])("%s is refused", async (_, handshake) => {
    expect(await problems(handshake)).not.toEqual([]);
  });
});

describe("a timestamp of the unit iso", () => {
  const inHeader: WrittenScheme = {
    header: "X-Own",
    signed: ["timestamp", { text: "." }, "body"],
    timestamp: { header: "X-Time", unit: "iso" },
  };
  const checked = (customScheme: WrittenScheme, time: string, body = "{}") => {
    const webhook = signedWebhook("custom", { customScheme });
    const signed = customScheme.signed ? `${time}.${body}` : body;
    const headers = { "X-Own": hmacOf(signed), "X-Time": time };
    return check(webhook, SIGNING_SECRET, { headers, body });
  };
  // NOW_SECONDS is 2026-11-21T12:00:00Z.

  test.each([
    ["2026-11-21T12:00:00Z", { ok: true }],
    ["2026-11-21T12:04:59.123456789Z", { ok: true }],
    ["2026-11-21T13:30:00+01:30", { ok: true }],
    ["2026-11-21T07:00:00.5-05:00", { ok: true }],
    ["2026-11-21T11:54:59Z", { reason: "the timestamp is 301 s old; the limit is 300 s" }],
    ["2026-11-21T12:05:01Z", { reason: "the timestamp is 301 s in the future; the limit is 300 s" }],
    ["2026-11-21T12:00:00+01:00", { reason: "the timestamp is 3600 s old; the limit is 300 s" }],
  ])("in a header, %s, counts by its offset", (time, expected) => {
    expect(checked(inHeader, time)).toMatchObject(expected);
  });

  test.each([
    "2026-11-21T12:00:00",
    "2026-11-21T12:00:00 00:00",
    "2026-11-21 12:00:00Z",
    "2026-11-21",
    "2026-11-31T12:00:00Z",
    "2026-11-21T24:00:00Z",
    "20261121T120000Z",
    "Sat, 21 Nov 2026 12:00:00 GMT",
    String(NOW_SECONDS),
    " 2026-11-21T12:00:00Z",
  ])("in a header, %j, is none", (time) => {
    expect(checked(inHeader, time)).toMatchObject({
      reason: "the timestamp is not a date and time with an offset (RFC 3339)",
    });
  });

  test("in the body counts in the same way", () => {
    const scheme: WrittenScheme = { header: "X-Own", timestamp: { body: ["sent", "at"], unit: "iso" } };
    const at = (time: unknown) => checked(scheme, "", JSON.stringify({ sent: { at: time } }));
    expect(at("2026-11-21T12:00:00Z")).toMatchObject({ ok: true });
    expect(at("2026-11-21T11:50:00Z")).toMatchObject({ reason: expect.stringContaining("600 s old") });
    for (const none of ["2026-11-21", NOW_SECONDS * 1_000, null]) {
      expect(at(none)).toMatchObject({ reason: "the body has no timestamp at sent.at" });
    }
  });

  test("is written so by test deliveries", () => {
    const webhook = signedWebhook("custom", { customScheme: inHeader });
    const now = new Date(NOW_SECONDS * 1_000);
    const body = Buffer.from("{}");
    const { headers } = signDelivery({ webhook, secret: SIGNING_SECRET, body, id: "1", now });
    expect(headers["x-time"]).toBe("2026-11-21T12:00:00.000Z");
    expect(check(webhook, SIGNING_SECRET, { headers, body })).toMatchObject({ ok: true });
  });
});

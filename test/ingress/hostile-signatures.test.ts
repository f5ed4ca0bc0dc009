import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { check, NOW_SECONDS, signedWebhook } from "../given/sender.ts";

const BODY = '{"id":"evt_1"}';
const SECRET = "s3cret";
const KEY = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");

const hex = (text: string | Buffer, algorithm = "sha256") =>
  createHmac(algorithm, SECRET).update(text).digest("hex");
const standard = (text: string | Buffer) => createHmac("sha256", KEY).update(text).digest("base64");

/** Whether each of these sets of headers is refused, with the right secret and a right digest somewhere in it. */
function refuses(scheme: string, headers: Record<string, string | string[]>, body: string | Buffer = BODY) {
  const secret = scheme === "standard_webhooks" ? KEY.toString("base64") : SECRET;
  const result = check(signedWebhook(scheme), secret, { headers, body });
  return !result.ok;
}

describe("github refuses", () => {
  const right = hex(BODY);
  test.each<[string, Record<string, string | string[]>]>([
    ["no signature", {}],
    ["an empty header", { "x-hub-signature-256": "" }],
    ["an empty digest, as a forge without a secret sends it", { "x-hub-signature-256": "sha256=" }],
    ["the digest without its prefix", { "x-hub-signature-256": right }],
    ["a right digest under another prefix", { "x-hub-signature-256": `sha1=${right}` }],
    ["upper case", { "x-hub-signature-256": `sha256=${right.toUpperCase()}` }],
    ["a digest with one more character", { "x-hub-signature-256": `sha256=${right}0` }],
    ["half of the digest", { "x-hub-signature-256": `sha256=${right.slice(0, 32)}` }],
    [
      "characters of more than one byte, as many as a digest has",
      { "x-hub-signature-256": `sha256=${"é".repeat(64)}` },
    ],
    [
      "a header that is sent twice, right both times",
      { "x-hub-signature-256": [`sha256=${right}`, `sha256=${right}`] },
    ],
    ["the older header alone", { "x-hub-signature": `sha1=${hex(BODY, "sha1")}` }],
    [
      "the older header beside a wrong one",
      { "x-hub-signature": `sha256=${right}`, "x-hub-signature-256": "sha256=00" },
    ],
    [
      "a signature by another provider's scheme",
      { "x-vercel-signature": hex(BODY, "sha1"), "sentry-hook-signature": right },
    ],
    ["the secret as a bearer token", { authorization: `Bearer ${SECRET}` }],
  ])("%s", (_, headers) => expect(refuses("github", headers)).toBe(true));
});

describe("the bytes are what is signed:", () => {
  test("a byte order mark, invalid UTF-8 and other spellings of the same value are other bodies", () => {
    const headers = { "x-hub-signature-256": `sha256=${hex(BODY)}` };
    expect(refuses("github", headers)).toBe(false);
    expect(refuses("github", headers, `\uFEFF${BODY}`)).toBe(true);
    expect(refuses("github", headers, '{"id": "evt_1"}')).toBe(true);
    expect(refuses("github", headers, '{"id":"\\u0065vt_1"}')).toBe(true);
  });

  test("bytes that are not UTF-8 are not taken for the ones that a decoder would put in their place", () => {
    const signed = Buffer.from('{"a":"\uFFFD"}');
    const sent = Buffer.from([...Buffer.from('{"a":"'), 0xff, ...Buffer.from('"}')]);
    expect(refuses("github", { "x-hub-signature-256": `sha256=${hex(signed)}` }, signed)).toBe(false);
    expect(refuses("github", { "x-hub-signature-256": `sha256=${hex(signed)}` }, sent)).toBe(true);
  });
});

describe("stripe", () => {
  const at = (time: string | number) => hex(`${time}.${BODY}`);
  const now = NOW_SECONDS;

  test.each<[string, string]>([
    ["several signatures, the second right", `t=${now},v1=${"0".repeat(64)},v1=${at(now)}`],
    ["white space behind the commas", `t=${now}, v1=${at(now)}`],
    ["entries in another order, and unknown ones", `v0=x,v1=${at(now)},t=${now},scheme=1`],
    ["a timestamp of 300 seconds ago", `t=${now - 300},v1=${at(now - 300)}`],
    ["a timestamp 300 seconds ahead", `t=${now + 300},v1=${at(now + 300)}`],
  ])("accepts %s", (_, header) => expect(refuses("stripe", { "stripe-signature": header })).toBe(false));

  test.each<[string, string]>([
    ["a timestamp of 301 seconds ago", `t=${now - 301},v1=${at(now - 301)}`],
    ["a timestamp 301 seconds ahead", `t=${now + 301},v1=${at(now + 301)}`],
    ["milliseconds", `t=${now * 1000},v1=${at(now * 1000)}`],
    ["a timestamp with something behind it", `t=${now}junk,v1=${at(`${now}junk`)}`],
    ["a leading zero", `t=0${now},v1=${at(`0${now}`)}`],
    ["a sign", `t=+${now},v1=${at(`+${now}`)}`],
    ["a fraction", `t=${now}.5,v1=${at(`${now}.5`)}`],
    ["digits of another script", `t=١٢٣,v1=${at("١٢٣")}`],
    ["no timestamp", `v1=${at(now)}`],
    ["two timestamps", `t=${now - 900},t=${now},v1=${at(now)}`],
    ["two fresh timestamps, the first one signed", `t=${now},t=${now - 1},v1=${at(now)}`],
    ["two fresh timestamps, the last one signed", `t=${now - 1},t=${now},v1=${at(now)}`],
    ["the same timestamp twice", `t=${now},t=${now},v1=${at(now)}`],
    ["a right digest under the test version", `t=${now},v0=${at(now)}`],
    ["no signature", `t=${now}`],
    ["an empty signature", `t=${now},v1=`],
    ["a signature of the body alone", `t=${now},v1=${hex(BODY)}`],
    ["33 signatures, the last one right", `t=${now},${"v1=00,".repeat(32)}v1=${at(now)}`],
  ])("refuses %s", (_, header) => expect(refuses("stripe", { "stripe-signature": header })).toBe(true));
});

describe("standard webhooks", () => {
  const sent = (changes: Record<string, string | string[] | undefined>) => {
    const id = "msg_1";
    const timestamp = String(NOW_SECONDS);
    const headers: Record<string, string | string[] | undefined> = {
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${standard(`${id}.${timestamp}.${BODY}`)}`,
      ...changes,
    };
    return Object.fromEntries(
      Object.entries(headers).filter((entry): entry is [string, string | string[]] => entry[1] !== undefined),
    );
  };
  const right = standard(`msg_1.${NOW_SECONDS}.${BODY}`);

  test("accepts a right signature among several, also when the header is sent twice", () => {
    expect(refuses("standard_webhooks", sent({}))).toBe(false);
    expect(refuses("standard_webhooks", sent({ "webhook-signature": `v2,x v1,AAAA v1,${right}` }))).toBe(
      false,
    );
    expect(refuses("standard_webhooks", sent({ "webhook-signature": ["v1,AAAA", `v1,${right}`] }))).toBe(
      false,
    );
  });

  test.each<[string, Record<string, string | string[] | undefined>]>([
    ["no id", { "webhook-id": undefined }],
    ["an id that is sent twice", { "webhook-id": ["msg_1", "msg_1"] }],
    ["no timestamp", { "webhook-timestamp": undefined }],
    [
      "the URL-safe alphabet",
      { "webhook-signature": `v1,${right.replaceAll("+", "-").replaceAll("/", "_").replace(/=$/, "")}` },
    ],
    ["a signature without padding", { "webhook-signature": `v1,${right.replace(/=+$/, "")}` }],
    ["junk behind the signature", { "webhook-signature": `v1,${right},junk` }],
    ["a right digest under another version", { "webhook-signature": `v2,${right}` }],
    ["an HMAC under the asymmetric version", { "webhook-signature": `v1a,${right}` }],
    ["the digest alone", { "webhook-signature": right }],
    ["another id than was signed", { "webhook-id": "msg_2" }],
    ["an id of the other family before the one that was signed", { "svix-id": "msg_2" }],
  ])("refuses %s", (_, changes) => expect(refuses("standard_webhooks", sent(changes))).toBe(true));

  test("refuses an id with a dot: an old message could be read as a new one with another id and time", () => {
    // "msg.1614265330" + "." + NOW + "." + rest signs the same text as "msg" + "." + 1614265330 + "." + "NOW.rest".
    const id = "msg.1614265330";
    const headers = sent({
      "webhook-id": id,
      "webhook-signature": `v1,${standard(`${id}.${NOW_SECONDS}.${BODY}`)}`,
    });
    expect(refuses("standard_webhooks", headers)).toBe(true);
  });
});

describe("gitlab", () => {
  const token = "plain-token";
  test("accepts the token, and refuses it when an invalid signature is sent with it", () => {
    const webhook = signedWebhook("gitlab");
    const headers = { "x-gitlab-token": token, "idempotency-key": "k1" };
    expect(check(webhook, token, { headers, body: BODY })).toEqual({ ok: true, providerId: "k1" });
    expect(
      check(webhook, token, { headers: { ...headers, "webhook-signature": "v1,AAAA" }, body: BODY }).ok,
    ).toBe(false);
    expect(check(webhook, token, { headers: { "x-gitlab-token": [token, token] }, body: BODY }).ok).toBe(
      false,
    );
  });

  test("with a signing secret takes no token, not even that secret", () => {
    const secret = `whsec_${KEY.toString("base64")}`;
    const headers = { "x-gitlab-token": secret };
    expect(check(signedWebhook("gitlab"), secret, { headers, body: BODY }).ok).toBe(false);
  });
});

describe("linear", () => {
  const bodyAt = (timestamp: unknown) => JSON.stringify({ webhookTimestamp: timestamp });
  const sent = (body: string) => ({ headers: { "linear-signature": hex(body) }, body });
  const now = NOW_SECONDS * 1_000;

  test.each([now, now - 60_000, now + 60_000])("accepts a body of %d", (timestamp) => {
    expect(check(signedWebhook("linear"), SECRET, sent(bodyAt(timestamp))).ok).toBe(true);
  });

  test.each([
    now - 60_001,
    now + 60_001,
    NOW_SECONDS,
    -Number.MAX_SAFE_INTEGER,
    String(now),
    null,
    undefined,
    now + 0.5,
  ])("refuses a body of %s", (timestamp) =>
    expect(check(signedWebhook("linear"), SECRET, sent(bodyAt(timestamp))).ok).toBe(false),
  );

  test("ignores the timestamp header, which is not signed", () => {
    const { headers, body } = sent(bodyAt(now - 120_000));
    const withHeader = { headers: { ...headers, "linear-timestamp": String(now) }, body };
    expect(check(signedWebhook("linear"), SECRET, withHeader).ok).toBe(false);
  });
});

describe("the id that makes a delivery the same as another", () => {
  test.each<[string, string, Record<string, string>, string | undefined]>([
    ["pagerduty", '{"event":{"id":"E1"}}', { "x-webhook-id": "unsigned" }, "E1"],
    ["pagerduty", '{"event":{}}', { "x-webhook-id": "unsigned" }, undefined],
    ["vercel", '{"id":"uev_1"}', {}, "uev_1"],
    ["vercel", '{"id":7}', {}, undefined],
    ["vercel", JSON.stringify({ id: "x".repeat(1_001) }), {}, undefined],
    ["sentry", "{}", { "request-id": "r1", "x-github-delivery": "other" }, "r1"],
  ])("of %s %s is the one that its provider signs, or its own header", (scheme, body, extra, id) => {
    const signature = hex(body, scheme === "vercel" ? "sha1" : "sha256");
    const headers = {
      ...extra,
      "x-pagerduty-signature": `v1=${signature}`,
      "x-vercel-signature": signature,
      "sentry-hook-signature": signature,
    };
    expect(check(signedWebhook(scheme), SECRET, { headers, body })).toEqual({ ok: true, providerId: id });
  });
});

test("the owner sees what was wrong, and never the secret or the expected digest", () => {
  const reasonOf = (scheme: string, headers: Record<string, string>) => {
    const result = check(signedWebhook(scheme), SECRET, { headers, body: BODY });
    return result.ok ? "" : result.reason;
  };
  const stale = NOW_SECONDS - 412;
  expect(reasonOf("github", {})).toBe("the x-hub-signature-256 header is missing");
  expect(reasonOf("stripe", { "stripe-signature": `t=${stale},v1=${hex(`${stale}.${BODY}`)}` })).toBe(
    "the timestamp is 412 s old; the limit is 300 s",
  );
  const mismatch = reasonOf("github", { "x-hub-signature-256": `sha256=${"0".repeat(64)}` });
  expect(mismatch).toBe("no signature matches the body and the webhook's secret");
  expect(check(signedWebhook("standard_webhooks"), "whsec_not base64", { headers: {}, body: BODY })).toEqual({
    ok: false,
    reason: "the webhook's secret is not base64, which its scheme requires",
  });
});

test("the owner sees whose delivery it looks like when another provider's signature header is present", () => {
  const reasonOf = (webhook: Parameters<typeof check>[0], headers: Record<string, string>) => {
    const result = check(webhook, SECRET, { headers, body: BODY });
    return result.ok ? "" : result.reason;
  };
  const ofGitHub = { "x-hub-signature-256": `sha256=${"0".repeat(64)}` };
  const likeGitHub =
    "the x-hub-signature-256 header is present, which looks like the signature scheme github";
  expect(reasonOf(signedWebhook("stripe"), ofGitHub)).toBe(
    `the stripe-signature header is missing; ${likeGitHub}`,
  );
  expect(reasonOf({ ...signedWebhook("github"), authMode: "token" }, ofGitHub)).toBe(
    `the authorization header is missing; ${likeGitHub}`,
  );
  expect(reasonOf(signedWebhook("github"), { "stripe-signature": "t=1,v1=0" })).toMatch(
    /header is missing; the stripe-signature header is present, which looks like the signature scheme stripe$/,
  );
  expect(reasonOf(signedWebhook("github"), { ...ofGitHub, "stripe-signature": "t=1" })).toBe(
    "no signature matches the body and the webhook's secret",
  );
});

test.each<[string, number, string]>([
  ["years ago", 1_600_000_000, "2020-09-13T12:26:40.000Z"],
  [
    "in milliseconds where seconds are meant",
    NOW_SECONDS * 1_000,
    "after the year 9999 when counted in seconds",
  ],
  ["beyond every date", 999_999_999_999_999, "after the year 9999 when counted in seconds"],
])("a timestamp %s is shown as what it means", (_, stamp, shown) => {
  const headers = { "stripe-signature": `t=${stamp},v1=${hex(`${stamp}.${BODY}`)}` };
  expect(check(signedWebhook("stripe"), SECRET, { headers, body: BODY })).toEqual({
    ok: false,
    reason: expect.stringContaining(`the timestamp is ${shown}`),
  });
});

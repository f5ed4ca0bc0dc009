import { createHmac } from "node:crypto";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, writeFiles } from "../given/folder.ts";
import { rawPost, sendRaw } from "../given/raw-http.ts";
import { startServer, waitFor } from "../given/server.ts";
import { serving } from "../given/serving.ts";
import { storyOf } from "../given/story.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const URL_SECRET = "url~safe_secret.1-2";

const signed = (scheme: string, more = "") =>
  `authMode: signature\nsignatureScheme: ${scheme}\nsecretName: HOOK_SECRET\n${more}`;

const stage = sharedByFile(async () => {
  const files = {
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "webhooks/link.yaml": "authMode: url_token\nsecretName: LINK_SECRET\n",
    "webhooks/github.yaml": signed("github"),
    "webhooks/stripe.yaml": signed("stripe"),
    "webhooks/named.yaml": signed("stripe", "deliveryIdHeader: X-Event\n"),
    "webhooks/standard.yaml": signed("standard_webhooks"),
    "webhooks/pagerduty.yaml": signed("pagerduty"),
    "webhooks/slack.yaml": signed("slack"),
    "webhooks/own.yaml": signed(
      "custom",
      "millrace: { scheme: { header: X-Own-Signature, prefix: 'sig ', digest: sha512, encoding: base64, signed: [{ header: X-Own-Id }, { text: ':' }, body], deliveryId: { header: X-Own-Id } } }\n",
    ),
    "automations/a.md": automationOn(["ci", "link", "github", "stripe", "standard", "own"], { go: [true] }),
  };
  const { server, story } = await serving(
    files,
    { CI_SECRET: "the-token", LINK_SECRET: URL_SECRET, HOOK_SECRET: SECRET },
    { env: { MILLRACE_LOG_LEVEL: "debug" } },
  );
  return { server, story, urlOf: async (name: string) => (await story.webhook(name)).url };
});

const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: "POST", body, headers });
const hmac = (body: string, key = SECRET) => createHmac("sha256", key).update(body).digest("hex");

describe("a webhook of the mode url_token", () => {
  test("takes the token as the last segment of its URL, and shows a placeholder for it", async () => {
    const { story } = stage();
    const { url, uid } = await story.webhook("link");
    expect(url).toMatch(/\/webhooks\/w\/[A-Za-z0-9]{22}\/\{token\}$/);
    const answer = await post(url.replace("{token}", URL_SECRET), '{"go":true}');
    expect(answer.status).toBe(202);
    const { delivery_id } = (await answer.json()) as { delivery_id: string };
    expect((await story.endedRunOf(delivery_id)).source).toBe("CUSTOM_WEBHOOK");
    expect((await story.deliveries(uid))[0]?.outcome).toBe("Accepted");
  });

  test("takes it with unreserved characters escaped, which is the same URL", async () => {
    const url = await stage().urlOf("link");
    expect((await post(url.replace("{token}", "url%7Esafe_secret%2e1-2"), '{"n":2}')).status).toBe(202);
  });

  test.each([
    ["another token", `${URL_SECRET}x`],
    ["an escaped slash", "url%2Fsafe"],
    ["an escape that is none", "%zz"],
    ["half of a character", "%c3"],
    ["the placeholder", "{token}"],
    [
      "letters that end in the same byte",
      [...URL_SECRET]
        .map((c) => encodeURIComponent(String.fromCodePoint(0x100 + (c.codePointAt(0) ?? 0))))
        .join(""),
    ],
  ])("refuses %s, and writes it nowhere", async (_, token) => {
    const { server, story } = stage();
    const { url, uid } = await story.webhook("link");
    const answer = await post(url.replace("{token}", token), "{}");
    const text = await answer.text();
    expect(answer.status).toBe(401);
    expect(JSON.parse(text).instance).toBe(`/webhooks/w/${uid}/{token}`);
    expect(server.log()).not.toContain(token === "{token}" ? URL_SECRET : token);
  });

  test.each([
    (path: string) => path,
    (path: string) => `/${path}`,
    (path: string) => `/prefix${path}`,
    (path: string) => path.replace("webhooks", "Webhooks"),
    (path: string) => path.replace("/w/", "//w/"),
    (path: string) => path.replace(/\/(?=[^/]*$)/, "%2F"),
    (path: string) => path.replace("/w/", "%2Fw%2F"),
    (path: string) => path.replace(/\/(?=[^/]*$)/, ";"),
  ])("is masked in the log and in answers, also when its URL was mistyped (%#)", async (mistype) => {
    const { server, story } = stage();
    const { url } = await story.webhook("link");
    const path = mistype(new URL(url.replace("{token}", "token-in-a-wrong-place")).pathname);
    const answer = await sendRaw(
      server.url,
      [`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`],
      { waitMs: 300 },
    );
    expect([401, 404]).toContain(answer.statuses[0]);
    expect(answer.text).not.toContain("token-in-a-wrong-place");
    await waitFor(() => server.log().includes("{token}") || undefined);
    expect(server.log()).not.toContain("token-in-a-wrong-place");
  });

  test("refuses an address with more behind the token, or with nothing", async () => {
    const url = (await stage().urlOf("link")).replace("/{token}", "");
    expect((await post(`${url}/${URL_SECRET}/x`, "{}")).status).toBe(404);
    expect((await post(`${url}/`, "{}")).status).toBe(404);
    expect((await post(url, "{}")).status).toBe(401);
  });
});

describe("a definition that comes into force while a body is on its way", () => {
  test("decides about that delivery: a rotated secret or a disabled webhook lets nothing in", async () => {
    const source = folderWith({ ...FACTORY, "webhooks/github.yaml": signed("github") });
    const server = await startServer({ sources: [source] });
    const story = storyOf(server);
    await story.setSecret("HOOK_SECRET", SECRET);
    await story.sync();
    const { url } = await story.webhook("github");
    const head = (body: string, key: string) =>
      rawPost(url, {
        "x-hub-signature-256": `sha256=${hmac(body, key)}`,
        "content-length": String(body.length),
        connection: "close",
      });
    const slow = (body: string, key: string) =>
      sendRaw(url, [head(body, key) + body.slice(0, 3), 1_500, body.slice(3)], { waitMs: 3_000 });

    const rotated = slow('{"n":1}', SECRET);
    await story.setSecret("HOOK_SECRET", "another");
    await story.sync();
    expect((await rotated).statuses).toEqual([401]);

    const disabled = slow('{"n":2}', "another");
    writeFiles(source, { "webhooks/github.yaml": `${signed("github")}enabled: false\n` });
    await story.sync();
    expect((await disabled).statuses).toEqual([404]);
  });
});

describe("a credential of one mode does not rescue a delivery to a webhook of another:", () => {
  test("a bearer token at a webhook with a URL token or a signature", async () => {
    const { urlOf } = stage();
    const link = (await urlOf("link")).replace("/{token}", "");
    expect((await post(link, "{}", { authorization: `Bearer ${URL_SECRET}` })).status).toBe(401);
    expect((await post(await urlOf("github"), "{}", { authorization: `Bearer ${SECRET}` })).status).toBe(401);
  });

  test("a URL token or a signature at a webhook with a bearer token", async () => {
    const url = await stage().urlOf("ci");
    expect((await post(`${url}/the-token`, "{}")).status).toBe(401);
    const signature = `sha256=${hmac("{}", "the-token")}`;
    expect((await post(url, "{}", { "x-hub-signature-256": signature })).status).toBe(401);
  });

  test("a right signature at an address with a token behind it", async () => {
    const url = await stage().urlOf("github");
    expect(
      (await post(`${url}/anything`, "{}", { "x-hub-signature-256": `sha256=${hmac("{}")}` })).status,
    ).toBe(401);
  });

  test("a signature of another scheme", async () => {
    const signature = `sha256=${hmac("{}")}`;
    expect(
      (await post(await stage().urlOf("stripe"), "{}", { "x-hub-signature-256": signature })).status,
    ).toBe(401);
  });
});

describe("a signed delivery", () => {
  test("of GitHub starts a run once, and again only under another delivery id", async () => {
    const { story } = stage();
    const { url } = await story.webhook("github");
    const body = '{"go":true,"zen":"Ünïcode"}';
    const send = async (id: string) => {
      const answer = await post(url, body, {
        "x-hub-signature-256": `sha256=${hmac(body)}`,
        "x-github-delivery": id,
      });
      return ((await answer.json()) as { delivery_id: string }).delivery_id;
    };
    const first = await send("guid-1");
    expect(await send("guid-1")).toBe(first);
    expect(await send("guid-2")).not.toBe(first);
    expect((await story.delivery(first)).identity).toEqual({ source: "provider", value: "guid-1" });
    expect((await story.delivery(first)).run_ids).toHaveLength(1);
  });

  test("of Stripe is known by the id of its event, and an old one is refused with its age", async () => {
    const { story } = stage();
    const { url, uid } = await story.webhook("stripe");
    const payload = '{"id":"evt_7","go":true}';
    const headerAt = (timestamp: number) =>
      new Stripe("sk_none").webhooks.generateTestHeaderStringAsync({ payload, secret: SECRET, timestamp });
    const now = Math.floor(Date.now() / 1_000);
    const headers = { "stripe-signature": await headerAt(now) };
    const { delivery_id } = (await (await post(url, payload, headers)).json()) as { delivery_id: string };
    expect((await story.delivery(delivery_id)).identity).toEqual({ source: "provider", value: "evt_7" });
    // An unsigned header does not make a replay new.
    const replay = await post(url, payload, { ...headers, "x-service-delivery-id": "new" });
    expect(((await replay.json()) as { delivery_id: string }).delivery_id).toBe(delivery_id);
    const old = await post(url, payload, { "stripe-signature": await headerAt(now - 600) });
    expect([old.status, await old.text()]).toEqual([401, expect.not.stringContaining("old")]);
    expect((await story.deliveries(uid))[0]?.reason).toMatch(/the timestamp is 60\d s old/);
  });

  test("is known by the header that the webhook names, before the provider's own id", async () => {
    const { story } = stage();
    const { url } = await story.webhook("named");
    const payload = '{"id":"evt_8"}';
    const header = await new Stripe("sk_none").webhooks.generateTestHeaderStringAsync({
      payload,
      secret: SECRET,
    });
    const answer = await post(url, payload, { "stripe-signature": header, "x-event": "named-1" });
    const { delivery_id } = (await answer.json()) as { delivery_id: string };
    expect((await story.delivery(delivery_id)).identity).toEqual({
      source: "configured_header",
      value: "named-1",
    });
  });

  test("of Standard Webhooks is known by its signed id", async () => {
    const { story } = stage();
    const { url } = await story.webhook("standard");
    const body = '{"n":1}';
    const time = new Date();
    const headers = {
      "svix-id": "msg_9",
      "svix-timestamp": String(Math.floor(time.getTime() / 1_000)),
      "svix-signature": new SvixWebhook(SECRET).sign("msg_9", time, body),
    };
    const { delivery_id } = (await (await post(url, body, headers)).json()) as { delivery_id: string };
    expect((await story.delivery(delivery_id)).identity).toEqual({ source: "provider", value: "msg_9" });
  });

  test("of PagerDuty is not made new by its unsigned id header", async () => {
    const { story } = stage();
    const { url } = await story.webhook("pagerduty");
    const body = '{"event":{"id":"E1"}}';
    const send = async (id: string) => {
      const answer = await post(url, body, {
        "x-pagerduty-signature": `v1=${hmac(body)}`,
        "x-webhook-id": id,
      });
      return ((await answer.json()) as { delivery_id: string }).delivery_id;
    };
    expect(await send("a")).toBe(await send("b"));
  });

  test("by a scheme that the webhook file describes is let in and known by its header", async () => {
    const { story } = stage();
    const { url } = await story.webhook("own");
    const body = '{"go":true}';
    const signature = createHmac("sha512", SECRET).update(`id-1:${body}`).digest("base64");
    const answer = await post(url, body, { "x-own-signature": `sig ${signature}`, "x-own-id": "id-1" });
    const { delivery_id } = (await answer.json()) as { delivery_id: string };
    expect((await story.delivery(delivery_id)).identity).toEqual({ source: "provider", value: "id-1" });
    expect(
      (await post(url, body, { "x-own-signature": `sig ${signature}`, "x-own-id": "id-2" })).status,
    ).toBe(401);
  });

  test("that is too large is refused before its signature is looked at", async () => {
    const { story } = stage();
    const { url, uid } = await story.webhook("github");
    expect((await post(url, "x".repeat(262_145), { "x-hub-signature-256": "sha256=00" })).status).toBe(413);
    expect((await story.deliveries(uid))[0]).toMatchObject({ outcome: "Rejected (too large)" });
  });
});

describe("Slack's question whether somebody listens", () => {
  const ask = (url: string, body: string, key = SECRET) => {
    const time = String(Math.floor(Date.now() / 1_000));
    return post(url, body, {
      "x-slack-request-timestamp": time,
      "x-slack-signature": `v0=${hmac(`v0:${time}:${body}`, key)}`,
    });
  };
  const CHALLENGE = '{"type":"url_verification","challenge":"abc"}';

  test("is answered when it is signed, and is no delivery", async () => {
    const { story } = stage();
    const { url, uid } = await story.webhook("slack");
    const answer = await ask(url, CHALLENGE);
    expect([answer.status, await answer.json()]).toEqual([200, { challenge: "abc" }]);
    expect(await story.deliveries(uid)).toEqual([]);
    expect((await ask(url, CHALLENGE, "another")).status).toBe(401);
    expect((await ask(url, '{"type":"event_callback","event_id":"Ev1","challenge":"x"}')).status).toBe(202);
  });

  test("is a delivery like any other at a webhook of another scheme", async () => {
    const url = await stage().urlOf("github");
    const answer = await post(url, CHALLENGE, { "x-hub-signature-256": `sha256=${hmac(CHALLENGE)}` });
    expect(answer.status).toBe(202);
  });
});

test("a secret that its scheme cannot use is a warning at its line, and lets nobody in", async () => {
  const server = await startServer({
    sources: [folderWith({ ...FACTORY, "webhooks/standard.yaml": signed("standard_webhooks") })],
  });
  const story = storyOf(server);
  await story.setSecret("HOOK_SECRET", "whsec_this is not base64");
  const { sync } = await story.sync();
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

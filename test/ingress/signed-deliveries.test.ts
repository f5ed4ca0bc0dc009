import { createHmac, createPrivateKey, sign as signWith } from "node:crypto";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, FACTORY, signatureWebhook } from "../given/definition.ts";
import {
  BODY_TO_SIGN,
  check,
  hmacOf,
  NOW_SECONDS,
  post,
  SIGNING_SECRET,
  signedWebhook,
} from "../given/sender.ts";
import { serving } from "../given/serving.ts";

const OWN_SCHEME =
  "millrace: { scheme: { header: X-Own-Signature, prefix: 'sig ', digest: sha512, encoding: base64, signed: [{ header: X-Own-Id }, { text: ':' }, body], deliveryId: { header: X-Own-Id } } }\n";

const signed = (scheme: string) => signatureWebhook(scheme, "HOOK_SECRET");

const stage = sharedByFile(() =>
  serving(
    {
      ...FACTORY,
      "webhooks/github.yaml": signed("github"),
      "webhooks/stripe.yaml": signed("stripe"),
      "webhooks/named.yaml": `${signed("stripe")}deliveryIdHeader: X-Event\n`,
      "webhooks/standard.yaml": signed("standard_webhooks"),
      "webhooks/pagerduty.yaml": signed("pagerduty"),
      "webhooks/own.yaml": signed("custom") + OWN_SCHEME,
      "automations/a.md": automationOn(["github", "stripe", "standard", "own"], { go: [true] }),
    },
    { HOOK_SECRET: SIGNING_SECRET },
  ),
);

describe("a signed delivery", () => {
  test("of GitHub starts a run once, and again only under another delivery id", async () => {
    const { story } = stage();
    const { url } = await story.webhook("github");
    const body = '{"go":true,"zen":"Ünïcode"}';
    const send = async (id: string) => {
      const answer = await post(url, body, {
        "x-hub-signature-256": `sha256=${hmacOf(body)}`,
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
      new Stripe("sk_none").webhooks.generateTestHeaderStringAsync({
        payload,
        secret: SIGNING_SECRET,
        timestamp,
      });
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
      secret: SIGNING_SECRET,
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
      "svix-signature": new SvixWebhook(SIGNING_SECRET).sign("msg_9", time, body),
    };
    const { delivery_id } = (await (await post(url, body, headers)).json()) as { delivery_id: string };
    expect((await story.delivery(delivery_id)).identity).toEqual({ source: "provider", value: "msg_9" });
  });

  test("of PagerDuty does not count as new because of its unsigned id header", async () => {
    const { story } = stage();
    const { url } = await story.webhook("pagerduty");
    const body = '{"event":{"id":"E1"}}';
    const send = async (id: string) => {
      const answer = await post(url, body, {
        "x-pagerduty-signature": `v1=${hmacOf(body)}`,
        "x-webhook-id": id,
      });
      return ((await answer.json()) as { delivery_id: string }).delivery_id;
    };
    expect(await send("a")).toBe(await send("b"));
  });

  test("by a scheme that the webhook file describes is accepted and known by its header", async () => {
    const { story } = stage();
    const { url } = await story.webhook("own");
    const body = '{"go":true}';
    const signature = createHmac("sha512", SIGNING_SECRET).update(`id-1:${body}`).digest("base64");
    const answer = await post(url, body, { "x-own-signature": `sig ${signature}`, "x-own-id": "id-1" });
    const { delivery_id } = (await answer.json()) as { delivery_id: string };
    expect((await story.delivery(delivery_id)).identity).toEqual({ source: "provider", value: "id-1" });
    expect(
      (await post(url, body, { "x-own-signature": `sig ${signature}`, "x-own-id": "id-2" })).status,
    ).toBe(401);
  });

  test("that is too large is refused before its signature is checked", async () => {
    const { story } = stage();
    const { url, uid } = await story.webhook("github");
    expect((await post(url, "x".repeat(262_145), { "x-hub-signature-256": "sha256=00" })).status).toBe(413);
    expect((await story.deliveries(uid))[0]).toMatchObject({ outcome: "Rejected (too large)" });
  });
});

test("a signature by an Ed25519 key is accepted with its public half", () => {
  const seed = Buffer.from("6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbc=", "base64");
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]),
    format: "der",
    type: "pkcs8",
  });
  const signature = signWith(null, Buffer.from(`msg.${NOW_SECONDS}.${BODY_TO_SIGN}`), key).toString("base64");
  const headers = {
    "webhook-id": "msg",
    "webhook-timestamp": String(NOW_SECONDS),
    "webhook-signature": `v1,AAAA v1a,${signature}`,
  };
  const publicKey = "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=";
  expect(check(signedWebhook("standard_webhooks"), publicKey, { headers, body: BODY_TO_SIGN }).ok).toBe(true);
  // Another spelling of the same bytes is not what was sent.
  const unpadded = { ...headers, "webhook-signature": `v1a,${signature.replace(/=+$/, "")}` };
  expect(
    check(signedWebhook("standard_webhooks"), publicKey, { headers: unpadded, body: BODY_TO_SIGN }).ok,
  ).toBe(false);
});

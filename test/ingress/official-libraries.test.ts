import { sign as signGithub } from "@octokit/webhooks-methods";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, test } from "vitest";
import { signDelivery } from "../../src/ingress/test-delivery.ts";
import { BODY_TO_SIGN, check, NOW_SECONDS, SIGNING_SECRET, signedWebhook } from "../given/sender.ts";

describe("a delivery that the official library signs is accepted", () => {
  test("stripe, whose key is the secret with its whsec_", async () => {
    const header = await new Stripe("sk_test_none").webhooks.generateTestHeaderStringAsync({
      payload: BODY_TO_SIGN,
      secret: SIGNING_SECRET,
      timestamp: NOW_SECONDS,
    });
    const sent = { headers: { "Stripe-Signature": header }, body: BODY_TO_SIGN };
    expect(check(signedWebhook("stripe"), SIGNING_SECRET, sent)).toEqual({ ok: true, providerId: "evt_1" });
    expect(check(signedWebhook("stripe"), SIGNING_SECRET.slice(6), sent).ok).toBe(false);
  });

  test("github", async () => {
    const headers = {
      "X-Hub-Signature-256": await signGithub("secret", BODY_TO_SIGN),
      "X-GitHub-Delivery": "guid-1",
    };
    const sent = { headers, body: BODY_TO_SIGN };
    expect(check(signedWebhook("github"), "secret", sent)).toEqual({ ok: true, providerId: "guid-1" });
  });

  test.each(["svix", "webhook"])("standard webhooks, with the headers named %s-*", (name) => {
    const signature = new SvixWebhook(SIGNING_SECRET).sign(
      "msg_1",
      new Date(NOW_SECONDS * 1_000),
      BODY_TO_SIGN,
    );
    const headers = {
      [`${name}-id`]: "msg_1",
      [`${name}-timestamp`]: String(NOW_SECONDS),
      [`${name}-signature`]: signature,
    };
    const sent = { headers, body: BODY_TO_SIGN };
    expect(check(signedWebhook("standard_webhooks"), SIGNING_SECRET, sent)).toEqual({
      ok: true,
      providerId: "msg_1",
    });
  });

  test("standard webhooks by its own library, with the secret's prefix left out", () => {
    const signature = new StandardWebhook(SIGNING_SECRET).sign(
      "msg_2",
      new Date(NOW_SECONDS * 1_000),
      BODY_TO_SIGN,
    );
    const headers = {
      "webhook-id": "msg_2",
      "webhook-timestamp": String(NOW_SECONDS),
      "webhook-signature": `v1,AAAA ${signature}`,
    };
    const sent = { headers, body: BODY_TO_SIGN };
    expect(check(signedWebhook("standard_webhooks"), SIGNING_SECRET.slice(6), sent).ok).toBe(true);
    expect(check(signedWebhook("gitlab"), SIGNING_SECRET, sent)).toEqual({ ok: true, providerId: "msg_2" });
  });
});

/** What the official libraries accept of our own signatures proves the way back: test deliveries look genuine. */
describe("a test delivery is accepted by the official library", () => {
  const signed = (scheme: string, body: string) =>
    signDelivery({
      webhook: signedWebhook(scheme),
      secret: SIGNING_SECRET,
      body: Buffer.from(body),
      id: "id_1",
      now: new Date(),
    }).headers;

  test("stripe", async () => {
    const header = signed("stripe", BODY_TO_SIGN)["stripe-signature"] ?? "";
    const event = await new Stripe("sk_test_none").webhooks.constructEventAsync(
      BODY_TO_SIGN,
      header,
      SIGNING_SECRET,
    );
    expect(event.id).toBe("evt_1");
  });

  test("svix", () => {
    const headers = signed("standard_webhooks", BODY_TO_SIGN);
    expect(new SvixWebhook(SIGNING_SECRET).verify(BODY_TO_SIGN, headers)).toMatchObject({ id: "evt_1" });
  });
});

import { describe, expect, test } from "vitest";
import type { Webhook } from "../../src/definitions/definition.ts";
import { SCHEMES } from "../../src/definitions/schemes/schemes.ts";
import { bodyOf } from "../../src/edge/read-body.ts";
import type { Authentication } from "../../src/ingress/arrival.ts";
import { type Credential, compileCredential, withPrevious } from "../../src/ingress/credential.ts";
import { signDelivery } from "../../src/ingress/test-delivery.ts";
import { NOW_SECONDS, signedWebhook } from "../given/sender.ts";

const NOW = NOW_SECONDS * 1_000;
const BODY = JSON.stringify({ id: "evt_1", webhookTimestamp: NOW });
const CURRENT = "whsec_bmV3LXNlY3JldC1uZXctc2VjcmV0LW5ldw==";
const PREVIOUS = "whsec_b2xkLXNlY3JldC1vbGQtc2VjcmV0LW9sZA==";
const OTHER = "whsec_b3RoZXItc2VjcmV0LW90aGVyLXNlY3JldA==";

/** What becomes of a delivery with the credential of a secret, at a webhook that accepts the previous one until an instant. */
function checked(
  webhook: Webhook,
  secret: string,
  { until = NOW + 1, previous = PREVIOUS }: { until?: number; previous?: string } = {},
): Authentication {
  const credential = withPrevious(
    compileCredential(webhook, CURRENT),
    compileCredential(webhook, previous),
    until,
  );
  const signed =
    webhook.authMode === "signature"
      ? signDelivery({ webhook, secret, body: Buffer.from(BODY), id: "id-1", now: new Date(NOW) }).headers
      : { authorization: `Bearer ${secret}` };
  const isInUrl = webhook.authMode === "url_token";
  const headers = Object.fromEntries(
    Object.entries(isInUrl ? {} : signed).map(([name, value]) => [name.toLowerCase(), [value]]),
  );
  const arrival = { headers, urlToken: isInUrl ? secret : undefined, now: NOW };
  return credential.check(arrival, bodyOf(Buffer.from(BODY)));
}

const { signatureScheme: _, ...plain } = signedWebhook("github");
const WEBHOOKS: [string, Webhook][] = [
  ["token", { ...plain, authMode: "token" }],
  ["url_token", { ...plain, authMode: "url_token" }],
  ...Object.keys(SCHEMES).map((scheme): [string, Webhook] => [scheme, signedWebhook(scheme)]),
];

describe.each(WEBHOOKS)("a webhook with %s in the overlap of a rotation", (_name, webhook) => {
  test("accepts both secrets, tells which it was, and no other one", () => {
    const current = checked(webhook, CURRENT);
    expect(current).toMatchObject({ ok: true });
    expect(current).not.toHaveProperty("provedBy");
    expect(checked(webhook, PREVIOUS)).toMatchObject({ ok: true, provedBy: "previous" });
    expect(checked(webhook, OTHER).ok).toBe(false);
  });

  test("accepts the current one alone from the instant on at which it ends", () => {
    expect(checked(webhook, PREVIOUS, { until: NOW }).ok).toBe(false);
    expect(checked(webhook, CURRENT, { until: NOW }).ok).toBe(true);
    expect(checked(webhook, PREVIOUS, { until: Number.NaN }).ok).toBe(false);
  });

  test("accepts nothing by a previous secret that is blank", () => {
    for (const previous of ["", " ", "whsec_"]) {
      expect(checked(webhook, OTHER, { previous }).ok).toBe(false);
      expect(checked(webhook, CURRENT, { previous })).toMatchObject({ ok: true });
    }
  });
});

test("a refusal says why the current secret does not fit", () => {
  const webhook = signedWebhook("github");
  const { check } = compileCredential(webhook, CURRENT);
  const arrival = { headers: {}, urlToken: undefined, now: NOW };
  const both = withPrevious(
    compileCredential(webhook, CURRENT),
    compileCredential(webhook, PREVIOUS),
    NOW + 1,
  );
  const body = bodyOf(Buffer.from(BODY));
  expect(both.check(arrival, body)).toEqual(check(arrival, body));
});

test("both secrets are checked within the overlap, whichever of them is right, and one alone after it", () => {
  const webhook: Webhook = { ...plain, authMode: "token" };
  const count = { checks: 0 };
  const counted = (secret: string): Credential => {
    const credential = compileCredential(webhook, secret);
    if (credential.kind !== "token") throw new Error("a bearer token was expected");
    const check: typeof credential.check = (arrival) => {
      count.checks += 1;
      return credential.check(arrival);
    };
    return { ...credential, check };
  };
  const both = withPrevious(counted(CURRENT), counted(PREVIOUS), NOW);
  const checksOf = (secret: string, now: number) => {
    count.checks = 0;
    both.check(
      { headers: { authorization: [`Bearer ${secret}`] }, urlToken: undefined, now },
      bodyOf(Buffer.from("")),
    );
    return count.checks;
  };
  expect([CURRENT, PREVIOUS, OTHER].map((secret) => checksOf(secret, NOW - 1))).toEqual([2, 2, 2]);
  expect([CURRENT, PREVIOUS, OTHER].map((secret) => checksOf(secret, NOW))).toEqual([1, 1, 1]);
});

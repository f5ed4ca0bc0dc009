import { describe, expect, test } from "vitest";
import webhookSchema from "../../schemas/v1alpha1/webhook.schema.json" with { type: "json" };
import { SCHEMES } from "../../src/definitions/schemes/schemes.ts";
import { signDelivery } from "../../src/ingress/test-delivery.ts";
import { check, NOW_SECONDS, SIGNING_SECRET, signedWebhook } from "../given/sender.ts";

describe("every scheme of the table", () => {
  const LINEAR_BODY = JSON.stringify({ id: "evt_1", webhookTimestamp: NOW_SECONDS * 1_000 });
  const secretOf = (scheme: string) => (scheme === "gitlab" ? "a-plain-token" : SIGNING_SECRET);

  test.each(Object.keys(SCHEMES))(
    "%s accepts what is signed for it, and nothing that was changed",
    (scheme) => {
      const webhook = signedWebhook(scheme);
      const secret = secretOf(scheme);
      const { headers } = signDelivery({
        webhook,
        secret,
        body: Buffer.from(LINEAR_BODY),
        id: "id-1",
        now: new Date(NOW_SECONDS * 1_000),
      });
      const sent = { headers, body: LINEAR_BODY };
      expect(check(webhook, secret, sent)).toMatchObject({ ok: true });
      expect(check(webhook, `${secret}A`, sent).ok).toBe(false);
      for (const name of Object.keys(headers).filter(
        (header) => !/delivery|request-id|idempotency/.test(header),
      )) {
        const { [name]: left, ...rest } = headers;
        expect(check(webhook, secret, { headers: rest, body: LINEAR_BODY }).ok).toBe(false);
        const changed = { ...headers, [name]: `${left?.slice(0, -1)}${left?.endsWith("0") ? "1" : "0"}` };
        expect(check(webhook, secret, { headers: changed, body: LINEAR_BODY }).ok).toBe(false);
      }
      if (scheme !== "gitlab") {
        expect(check(webhook, secret, { headers, body: LINEAR_BODY.replace("evt_1", "evt_2") }).ok).toBe(
          false,
        );
      }
    },
  );

  test("can be written in a webhook file, which allows no other scheme but custom", () => {
    const names = webhookSchema.properties.signatureScheme.enum;
    expect([...names].sort()).toEqual([...Object.keys(SCHEMES), "custom"].sort());
  });

  test.each(Object.keys(SCHEMES))("%s accepts nothing with a blank secret", (scheme) => {
    for (const secret of ["", " ", "whsec_"]) {
      const sent = { headers: { "x-hub-signature-256": "sha256=", "x-gitlab-token": secret }, body: "" };
      expect(check(signedWebhook(scheme), secret, sent).ok).toBe(false);
    }
  });
});

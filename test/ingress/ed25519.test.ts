import { createPrivateKey, sign as signWith } from "node:crypto";
import { expect, test } from "vitest";
import { BODY_TO_SIGN, check, NOW_SECONDS, signedWebhook } from "../given/sender.ts";

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

import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { FACTORY, signatureWebhook, TOKEN_WEBHOOK } from "../given/definition.ts";
import { hmacOf, post, SIGNING_SECRET } from "../given/sender.ts";
import { serving } from "../given/serving.ts";

const URL_SECRET = "the-url-token";

const stage = sharedByFile(() =>
  serving(
    {
      ...FACTORY,
      "webhooks/ci.yaml": TOKEN_WEBHOOK,
      "webhooks/link.yaml": "authMode: url_token\nsecretName: LINK_SECRET\n",
      "webhooks/github.yaml": signatureWebhook("github", "HOOK_SECRET"),
      "webhooks/stripe.yaml": signatureWebhook("stripe", "HOOK_SECRET"),
    },
    { CI_SECRET: "the-token", LINK_SECRET: URL_SECRET, HOOK_SECRET: SIGNING_SECRET },
  ),
);

describe("a credential of one mode does not rescue a delivery to a webhook of another:", () => {
  test("a bearer token at a webhook with a URL token or a signature", async () => {
    const { urlOf } = stage().story;
    const link = (await urlOf("link")).replace("/{token}", "");
    expect((await post(link, "{}", { authorization: `Bearer ${URL_SECRET}` })).status).toBe(401);
    expect(
      (await post(await urlOf("github"), "{}", { authorization: `Bearer ${SIGNING_SECRET}` })).status,
    ).toBe(401);
  });

  test("a URL token or a signature at a webhook with a bearer token", async () => {
    const url = await stage().story.urlOf("ci");
    expect((await post(`${url}/the-token`, "{}")).status).toBe(401);
    const signature = `sha256=${hmacOf("{}", "the-token")}`;
    expect((await post(url, "{}", { "x-hub-signature-256": signature })).status).toBe(401);
  });

  test("a right signature at an address with a token behind it", async () => {
    const url = await stage().story.urlOf("github");
    expect(
      (await post(`${url}/anything`, "{}", { "x-hub-signature-256": `sha256=${hmacOf("{}")}` })).status,
    ).toBe(401);
  });

  test("a signature of another scheme", async () => {
    const signature = `sha256=${hmacOf("{}")}`;
    expect(
      (await post(await stage().story.urlOf("stripe"), "{}", { "x-hub-signature-256": signature })).status,
    ).toBe(401);
  });
});

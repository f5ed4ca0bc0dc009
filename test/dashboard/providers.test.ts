import { describe, expect, test } from "vitest";
import { makesSecret } from "../../dashboard/src/pages/webhooks/authentication.ts";
import { PROVIDERS } from "../../dashboard/src/pages/webhooks/providers.ts";
import { isWhole, NO_WISHES, newWebhook } from "../../dashboard/src/pages/webhooks/wishes.ts";
import { SCHEMES } from "../../src/definitions/schemes/schemes.ts";
import { generateSecret } from "../../src/reconcile/managed-edits/webhook-edits.ts";

test("every scheme of the server can be chosen, and no other", () => {
  expect(Object.keys(PROVIDERS).sort()).toEqual([...Object.keys(SCHEMES), "custom"].sort());
});

test.each(Object.keys(PROVIDERS))("the page knows whether the server makes a secret for %s", (scheme) => {
  const made = generateSecret({ authMode: "signature", signatureScheme: scheme });
  expect(makesSecret("signature", scheme)).toBe(made !== undefined);
});

describe("what is asked for", () => {
  test("has nothing that was left blank", () => {
    expect(newWebhook({ ...NO_WISHES, name: " ci " })).toEqual({ name: "ci", auth_mode: "token" });
  });

  test("has nothing of a choice that another one has hidden", () => {
    const signed = { ...NO_WISHES, name: "pay", scheme: "stripe", providerSecret: "whsec_1" };
    expect(newWebhook({ ...signed, mode: "url_token" })).toEqual({ name: "pay", auth_mode: "url_token" });
    expect(newWebhook({ ...signed, mode: "signature" })).toEqual({
      name: "pay",
      auth_mode: "signature",
      signature_scheme: "stripe",
      secret: "whsec_1",
    });
  });

  test("is whole with a name, of a signature also with a scheme, of one by hand with its JSON", () => {
    const signed = { ...NO_WISHES, name: "pay", mode: "signature" as const };
    expect(isWhole(NO_WISHES)).toBe(false);
    expect(isWhole({ ...NO_WISHES, name: "ci" })).toBe(true);
    expect(isWhole(signed)).toBe(false);
    expect(isWhole({ ...signed, scheme: "stripe" })).toBe(true);
    expect(isWhole({ ...signed, scheme: "custom", customScheme: "{ header" })).toBe(false);
  });
});

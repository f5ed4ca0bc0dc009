import { expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { serveManaged } from "../../given/managed.ts";

const kept = sharedByFile(() => serveManaged());
const secret = "given-by-the-provider";
const signed = { auth_mode: "signature", signature_scheme: "custom", secret };

const wrong: [string, unknown, string][] = [
  ["without a header", {}, "custom_scheme.header"],
  ["whose header is no text", { header: 5 }, "custom_scheme.header"],
  [
    "with a timestamp that stands nowhere",
    { header: "X-Own", timestamp: { unit: "s" } },
    "custom_scheme.timestamp",
  ],
  [
    "with a handshake that nothing recognizes",
    { header: "X-Own", handshake: { when: {}, answer: { a: { body: ["a"] } } } },
    "custom_scheme.handshake.when",
  ],
  ["with a member that nobody knows", { header: "X-Own", sign: ["body"] }, "custom_scheme.sign"],
];

test.each(wrong)("a custom scheme %s is refused, and the field is named", async (_, custom_scheme, field) => {
  const body = { name: "own", ...signed, custom_scheme };
  const answer = await kept().call("POST", "/webhooks", { body });
  expect([answer.status, answer.body.field]).toEqual([400, field]);
});

test("a custom scheme may say all that a webhook file may", async () => {
  const scheme = {
    header: "X-Own",
    separator: ",",
    prefix: "v1=",
    digest: "sha512" as const,
    encoding: "base64" as const,
    key: "text" as const,
    signed: ["timestamp" as const, { text: "." }, { header: "X-Id" }, { text: "." }, "body" as const],
    timestamp: { entry: "t=", unit: "iso" as const, tolerance: 60 },
    deliveryId: { header: "X-Id" },
    handshake: {
      when: { event: ["ping"] },
      answer: {
        plain: { body: ["token"] },
        signed: { hmac: { body: ["token"] }, encoding: "hex" as const },
      },
    },
  };
  const made = await kept().create({
    name: "full",
    ...signed,
    auth_mode: "signature",
    custom_scheme: scheme,
  });
  expect(made).toMatchObject({ status: "active", signature_scheme: "custom" });
});

import type { Webhook } from "../definition.ts";
import { customScheme, DEFAULT_TOLERANCE_SECONDS, type Scheme, type SignatureMethod } from "./scheme.ts";

/** What most providers have in common: HMAC-SHA256 of the body, in hexadecimal, under the secret as it stands. */
export const HMAC_OF_BODY = {
  kind: "signature",
  key: { encoding: "text" },
  prefix: "",
  algorithm: "sha256",
  encoding: "hex",
  signed: ["body"],
} as const satisfies Partial<SignatureMethod>;

const STANDARD_ID = ["svix-id", "webhook-id"];
const STANDARD_TIMESTAMP = ["svix-timestamp", "webhook-timestamp"];

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const STANDARD_HMAC: SignatureMethod = {
  kind: "signature",
  key: { prefix: "whsec_", prefixOptional: true, encoding: "base64" },
  headers: ["svix-signature", "webhook-signature"],
  separator: " ",
  prefix: "v1,",
  algorithm: "sha256",
  encoding: "base64",
  signed: [{ headers: STANDARD_ID }, { text: "." }, "timestamp", { text: "." }, "body"],
  timestamp: { at: { headers: STANDARD_TIMESTAMP }, unit: "s", toleranceSeconds: DEFAULT_TOLERANCE_SECONDS },
  deliveryId: { headers: STANDARD_ID },
};

const STANDARD_ED25519: SignatureMethod = {
  ...STANDARD_HMAC,
  key: { prefix: "whpk_", encoding: "base64" },
  prefix: "v1a,",
  algorithm: "ed25519",
};

/**
 * Every provider that a webhook file can name. A further one is a row here, and a name in the enum of
 * `schemas/v1alpha1/webhook.schema.json`.
 */
export const SCHEMES: Readonly<Record<string, Scheme>> = {
  // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
  github: {
    eventHeader: "x-github-event",
    methods: [
      {
        ...HMAC_OF_BODY,
        headers: ["x-hub-signature-256"],
        prefix: "sha256=",
        deliveryId: { headers: ["x-github-delivery"] },
      },
    ],
  },
  // https://docs.stripe.com/webhooks#verify-manually. The key is the whole secret, `whsec_` included.
  stripe: {
    methods: [
      {
        ...HMAC_OF_BODY,
        headers: ["stripe-signature"],
        separator: ",",
        prefix: "v1=",
        signed: ["timestamp", { text: "." }, "body"],
        timestamp: { at: { entry: "t=" }, unit: "s", toleranceSeconds: DEFAULT_TOLERANCE_SECONDS },
        deliveryId: { body: ["id"] },
      },
    ],
  },
  // https://vercel.com/docs/webhooks/webhooks-api#securing-webhooks
  vercel: {
    methods: [
      {
        ...HMAC_OF_BODY,
        headers: ["x-vercel-signature"],
        algorithm: "sha1",
        deliveryId: { body: ["id"] },
      },
    ],
  },
  // https://docs.sentry.io/organization/integrations/integration-platform/webhooks/. Its timestamp is not signed.
  sentry: {
    methods: [
      { ...HMAC_OF_BODY, headers: ["sentry-hook-signature"], deliveryId: { headers: ["request-id"] } },
    ],
  },
  // https://developer.pagerduty.com/docs/verifying-signatures. Its own id header is not signed; the event's id is.
  pagerduty: {
    methods: [
      {
        ...HMAC_OF_BODY,
        headers: ["x-pagerduty-signature"],
        separator: ",",
        prefix: "v1=",
        deliveryId: { body: ["event", "id"] },
      },
    ],
  },
  standard_webhooks: { methods: [STANDARD_ED25519, STANDARD_HMAC] },
  // https://docs.gitlab.com/user/project/integrations/webhooks/. A signing token starts with whsec_, a plain one does not.
  gitlab: {
    methods: [
      {
        ...STANDARD_HMAC,
        key: { prefix: "whsec_", encoding: "base64" },
        headers: ["webhook-signature"],
        signed: [{ headers: ["webhook-id"] }, { text: "." }, "timestamp", { text: "." }, "body"],
        timestamp: {
          at: { headers: ["webhook-timestamp"] },
          unit: "s",
          toleranceSeconds: DEFAULT_TOLERANCE_SECONDS,
        },
        deliveryId: { headers: ["webhook-id"] },
      },
      {
        kind: "token",
        key: { encoding: "text" },
        header: "x-gitlab-token",
        notBeside: "webhook-signature",
        deliveryId: { headers: ["idempotency-key", "x-gitlab-event-uuid"] },
      },
    ],
  },
  // https://linear.app/developers/webhooks#securing-webhooks
  linear: {
    methods: [
      {
        ...HMAC_OF_BODY,
        headers: ["linear-signature"],
        timestamp: { at: { body: ["webhookTimestamp"] }, unit: "ms", toleranceSeconds: 60 },
        deliveryId: { headers: ["linear-delivery"] },
      },
    ],
  },
  // https://docs.slack.dev/authentication/verifying-requests-from-slack
  slack: {
    methods: [
      {
        ...HMAC_OF_BODY,
        headers: ["x-slack-signature"],
        prefix: "v0=",
        signed: [{ text: "v0:" }, "timestamp", { text: ":" }, "body"],
        timestamp: {
          at: { headers: ["x-slack-request-timestamp"] },
          unit: "s",
          toleranceSeconds: DEFAULT_TOLERANCE_SECONDS,
        },
        deliveryId: { body: ["event_id"] },
      },
    ],
    handshake: { when: { type: ["url_verification"] }, answer: { challenge: { body: ["challenge"] } } },
  },
};

/** The scheme that a webhook's signatures follow; nothing for a name that this version does not know. */
export function schemeOf({ signatureScheme = "", customScheme: written }: Webhook): Scheme | undefined {
  if (signatureScheme === "custom") return written && customScheme(written);
  return Object.hasOwn(SCHEMES, signatureScheme) ? SCHEMES[signatureScheme] : undefined;
}

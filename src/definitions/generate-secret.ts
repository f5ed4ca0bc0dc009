import { randomBytes } from "node:crypto";
import type { WrittenWebhook } from "./written.ts";

/** As many as HMAC-SHA256 has use for. */
const SECRET_BYTES = 32;

/**
 * A new secret for a webhook; nothing where only its provider can make one.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md has the form with `whsec_`.
 */
export function generateSecret({
  authMode = "token",
  signatureScheme = "",
}: Pick<WrittenWebhook, "authMode" | "signatureScheme">): string | undefined {
  const random = randomBytes(SECRET_BYTES);
  if (authMode !== "signature") return random.toString("base64url");
  if (signatureScheme === "standard_webhooks") return `whsec_${random.toString("base64")}`;
  // Of these digits a key is text as well as hexadecimal or base64, whichever a scheme takes it for.
  return CHOSEN_BY_RECEIVER.has(signatureScheme) ? random.toString("hex") : undefined;
}

/** Whoever sets up the sender types in what the receiver has chosen. */
const CHOSEN_BY_RECEIVER: ReadonlySet<string> = new Set(["github", "gitlab", "custom"]);

/** A name for the secret of a webhook that is not taken yet, made of the name of the webhook. */
export function suggestSecretName(webhook: string, taken: ReadonlySet<string>): string {
  const words = webhook
    .normalize("NFKD")
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  const stem = `${/^\d/.test(words) ? "_" : ""}${words}`;
  const name = [stem, /(^|_)WEBHOOK$/.test(stem) ? "" : "WEBHOOK", "SECRET"]
    .filter((part) => part !== "")
    .join("_");
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}_${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

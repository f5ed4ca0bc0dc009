import { MillraceError } from "../errors/error.ts";

/** The secret of a webhook without the one line end that editors and `echo` put behind it. */
export function webhookSecret(value: string): string {
  return value.replace(/\r?\n$/, "");
}

/** Whether it can be a segment of a URL: unreserved characters only (RFC 3986), and no step up. */
export function isUrlSafe(secret: string): boolean {
  return /^(?!\.\.?$)[A-Za-z0-9._~-]*$/.test(secret);
}

/**
 * Whether white space stands around the secret of a webhook. No provider signs with it: it comes from copying, and every
 * delivery would be refused because of something that nobody can see.
 */
export function hasOuterWhiteSpace(secret: string): boolean {
  return secret !== secret.trim();
}

/**
 * The secret of a webhook as it is stored.
 * @throws MillraceError `invalid_request` for a value with white space around it
 */
export function checkWebhookSecret(field: string, value: string): string {
  const secret = webhookSecret(value);
  if (!hasOuterWhiteSpace(secret)) return secret;
  throw new MillraceError(
    "invalid_request",
    `${field}: the webhook secret has leading or trailing white space.`,
    {
      remedy: "Copy the secret without leading or trailing spaces and line breaks.",
      extra: { field },
    },
  );
}

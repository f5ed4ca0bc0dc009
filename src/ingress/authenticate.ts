import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { IngressWebhook } from "./webhook-table.ts";

/** Whether a delivery carries the webhook's credential; when not, why, for the owner and not for the sender. */
export type Authentication = { ok: true } | { ok: false; reason: string };

/** Checks what the sender sent against the mode of the webhook. A credential of another mode counts for nothing. */
export function authenticate(webhook: IngressWebhook, request: IncomingMessage): Authentication {
  if (webhook.authMode === "token") return checkBearer(webhook.credential, request);
  return { ok: false, reason: `authMode ${webhook.authMode} is not served yet` };
}

function checkBearer(credential: string, request: IncomingMessage): Authentication {
  const headers = request.headersDistinct.authorization ?? [];
  const [header, second] = headers;
  if (header === undefined) return { ok: false, reason: "the Authorization header is missing" };
  if (second !== undefined) return { ok: false, reason: "the Authorization header is repeated" };
  const token = /^Bearer +(\S.*)$/i.exec(header)?.[1];
  if (token === undefined)
    return { ok: false, reason: "the Authorization header is not of the form Bearer TOKEN" };
  return equalInConstantTime(token, credential)
    ? { ok: true }
    : { ok: false, reason: "the bearer token is another" };
}

/** Compares digests, so that neither the content nor the length of the credential shows in the time it takes. */
function equalInConstantTime(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

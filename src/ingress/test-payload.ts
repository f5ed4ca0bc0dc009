import type { Webhook } from "../definitions/definition.ts";
import { chooseMethod } from "../definitions/scheme-key.ts";
import { schemeOf } from "../definitions/schemes.ts";

/** A body for a test delivery, with what the webhook's scheme looks for inside a body. */
export function testPayload(webhook: Webhook, secret: string, id: string, now: Date): object {
  const payload: Record<string, unknown> = { test: true, webhook: webhook.name, sent_at: now.toISOString() };
  const scheme = webhook.authMode === "signature" ? schemeOf(webhook) : undefined;
  const chosen = scheme && chooseMethod(scheme, secret);
  if (!chosen || "unusable" in chosen) return payload;
  const { method } = chosen;
  if (method.deliveryId && "body" in method.deliveryId) place(payload, method.deliveryId.body, id);
  if (method.kind === "signature" && method.timestamp && "body" in method.timestamp.at) {
    const { unit, at } = method.timestamp;
    place(payload, at.body, unit === "ms" ? now.getTime() : Math.floor(now.getTime() / 1_000));
  }
  return payload;
}

function place(payload: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = "", ...rest] = path;
  if (rest.length === 0) payload[key] = value;
  else {
    const inner = (payload[key] ?? {}) as Record<string, unknown>;
    payload[key] = inner;
    place(inner, rest, value);
  }
}

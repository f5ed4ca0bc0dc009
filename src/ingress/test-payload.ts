import type { Webhook } from "../definitions/definition.ts";
import { chooseMethod } from "../definitions/schemes/scheme.ts";
import { schemeOf } from "../definitions/schemes/schemes.ts";

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

/** Sets a field at a path. The path comes from a definition: its keys are own properties, whatever they are called. */
function place(payload: object, [key = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    setOwn(payload, key, value);
    return;
  }
  const present = Object.getOwnPropertyDescriptor(payload, key)?.value;
  const inner = typeof present === "object" && present !== null ? present : {};
  setOwn(payload, key, inner);
  place(inner, rest, value);
}

function setOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

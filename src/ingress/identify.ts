import { hash } from "node:crypto";
import { type Arrival, headerText } from "./arrival.ts";
import type { Identity } from "./delivery.ts";

/** Set by a sender that has its own idea of an event's identity (spec, Webhook ingress, rule 1). */
export const SERVICE_DELIVERY_HEADER = "x-service-delivery-id";

/** 32 bytes. */
export function sha256(bytes: Uint8Array | string): Buffer {
  return hash("sha256", bytes, "buffer");
}

/**
 * What makes a delivery the same as another, in the spec's order: the header that the webhook names, the provider's own
 * id, the service's header, the body.
 * @param configuredHeader in lower case
 * @param providerId what the provider's own header or signed body says, for a delivery that the provider has signed
 */
export function identify(
  headers: Arrival["headers"],
  configuredHeader: string | undefined,
  providerId: string | undefined,
  bodyHash: Buffer,
): Identity {
  const configured = configuredHeader && headerText(headers[configuredHeader]);
  if (configured) return { source: "configured_header", value: configured };
  if (providerId) return { source: "provider", value: providerId };
  const service = headerText(headers[SERVICE_DELIVERY_HEADER]);
  if (service) return { source: "service_header", value: service };
  return { source: "body_hash", value: bodyHash.toString("hex") };
}

/**
 * The key that an identity is remembered under: of its webhook, and of its value alone, so that naming a header in the
 * settings does not make a known delivery new. A body's hash cannot be mistaken for an id that reads the same.
 */
export function identityKey(webhookUid: string, { source, value }: Identity): Buffer {
  const kind = source === "body_hash" ? "body" : "id";
  return sha256(`${webhookUid}\0${kind}\0${value}`).subarray(0, KEY_BYTES);
}

/** Half of a SHA-256: no two identities meet by chance, and the index stays small. */
const KEY_BYTES = 16;

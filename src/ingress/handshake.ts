import { fieldOf } from "./arrival.ts";
import type { Credential } from "./credential.ts";

/**
 * The answer to a provider that only asks, signed, whether somebody listens at this address; nothing for a delivery.
 * https://docs.slack.dev/reference/events/url_verification
 */
export function handshakeAnswer(credential: Credential, payload: unknown): object | undefined {
  if (credential.kind !== "signature" || !credential.handshake) return undefined;
  const { field, value, echo } = credential.handshake;
  const text = fieldOf(payload, [echo]);
  return fieldOf(payload, [field]) === value && typeof text === "string" ? { [echo]: text } : undefined;
}

import type { CallOptions } from "./options.ts";

/** Options that make all attempts of a call one request to the server. */
export function withIdempotencyKey<Options extends CallOptions>(options: Options): Options {
  return { ...options, idempotencyKey: options.idempotencyKey ?? newIdempotencyKey() };
}

/** A key that no other request has: 128 random bits. A page that is not served over TLS has no `crypto.randomUUID`. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

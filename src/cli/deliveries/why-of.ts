import type { Models } from "../../client/client.ts";

/** Why a delivery was refused, or which one it repeats; empty for one that was accepted. */
export function whyOf({ reason, duplicate_of, body_differs }: Models["Delivery"]): string {
  if (duplicate_of) return `duplicate of ${duplicate_of}${body_differs ? " (body differs)" : ""}`;
  return reason ?? "";
}

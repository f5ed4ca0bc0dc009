import { createHash } from "node:crypto";
import type { Request } from "express";
import { MillraceError } from "../../errors/error.ts";
import type { IdempotencyKey } from "../../runs/idempotency.ts";

const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * The Idempotency-Key of a request, bound to who sends it and to what it asks for; nothing without the header.
 * @throws MillraceError `invalid_request`
 */
export function readIdempotencyKey(
  request: Request,
  principalUid: string,
  body: unknown,
): IdempotencyKey | null {
  const key = request.headers["idempotency-key"];
  if (key === undefined) return null;
  if (typeof key !== "string" || !KEY.test(key)) {
    throw new MillraceError(
      "invalid_request",
      "Idempotency-Key: expected 1 to 255 visible ASCII characters.",
      {
        extra: { field: "Idempotency-Key" },
      },
    );
  }
  return { principalUid, key, requestHash: hashOf(operationOf(request), body) };
}

/** @throws MillraceError `conflict` */
export function refuseOtherRequest(): never {
  throw new MillraceError("conflict", "The Idempotency-Key was already used for a different request.", {
    remedy: "Use a new key for each request, and repeat a key only to retry the same request.",
    retryable: false,
    extra: { field: "Idempotency-Key" },
  });
}

/** Both paths that create runs are one operation, and ids are the same in either case. */
function operationOf({ path }: Request): string {
  return path
    .toLowerCase()
    .replace(/\/agent\/run\/?$/, "/agent/runs")
    .replace(/\/$/, "");
}

function hashOf(operation: string, body: unknown): string {
  return createHash("sha256")
    .update(`${operation}\n${canonical(body)}`)
    .digest("hex");
}

/** JSON with sorted keys: the same request may be written in another order when it is sent again. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

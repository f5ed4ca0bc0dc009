import type { Request } from "express";
import { type IdempotencyKey, idempotencyKey, type SentKey } from "../../runs/idempotency.ts";

/**
 * The Idempotency-Key of a request, bound to who sends it and to what it asks for; nothing without the header.
 * @throws MillraceError `invalid_request`
 */
export function readIdempotencyKey(
  request: Request,
  principalUid: string,
  body: unknown,
): IdempotencyKey | null {
  return idempotencyKey(sentKey(request), principalUid, body);
}

export function sentKey(request: Request): SentKey {
  return { key: request.headers["idempotency-key"], operation: operationOf(request) };
}

/** Both paths that create runs are one operation, and ids are the same in either case. */
function operationOf({ path }: Request): string {
  return path
    .toLowerCase()
    .replace(/\/agent\/run\/?$/, "/agent/runs")
    .replace(/\/$/, "");
}

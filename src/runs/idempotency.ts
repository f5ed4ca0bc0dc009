import { createHash } from "node:crypto";
import { inBatches } from "../concurrency/periodic-jobs.ts";
import { MillraceError } from "../errors/error.ts";
import { DAY_MS } from "../time/duration.ts";

/** A request that must have its effect once, however often it is sent: the key of its sender, and what it asks for. */
export interface IdempotencyKey {
  principalUid: string;
  key: string;
  /** SHA-256 of the operation and the body. */
  requestHash: string;
}

/** The Idempotency-Key of a request as it was sent, and the operation that the request is for. */
export interface SentKey {
  key: string | string[] | undefined;
  operation: string;
}

const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * A key bound to who sends it and to what is asked for; nothing where none was sent.
 * @throws MillraceError `invalid_request`
 */
export function idempotencyKey(
  { key, operation }: SentKey,
  principalUid: string,
  body: unknown,
): IdempotencyKey | null {
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
  return { principalUid, key, requestHash: hashOf(operation, body) };
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

/** @throws MillraceError `conflict` */
export function refuseOtherRequest(): never {
  throw new MillraceError("conflict", "The Idempotency-Key was already used for a different request.", {
    remedy: "Use a new key for each request, and repeat a key only to retry the same request.",
    retryable: false,
    extra: { field: "Idempotency-Key" },
  });
}

/** The answer to give, from now or from when the key was first used; or that the key was used for another request. */
export type IdempotencyOutcome = { answer: string; isNew: boolean } | { differs: true };

/** Keeps what was answered under keys. */
export interface AnswerStore {
  /** What was answered under a key; nothing when it is new. */
  findAnswer(once: IdempotencyKey): Promise<IdempotencyOutcome | undefined>;
  /** Remembers what was answered under a key whose request took effect elsewhere. */
  keepAnswer(once: IdempotencyKey, answer: string, at: string): Promise<void>;
  /** Forgets the oldest keys, at most so many of those used before an instant. @returns how many */
  forgetAnswers(before: string, limit: number): Promise<number>;
}

/** How long a key is remembered, and with it the answer that was given under it. */
const ANSWERS_KEPT_MS = DAY_MS;

/** Forgets the keys that are older than a day. */
export function forgetAnswers(
  { store, now }: { store: Pick<AnswerStore, "forgetAnswers">; now: () => Date },
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(now().getTime() - ANSWERS_KEPT_MS).toISOString();
  return inBatches((limit) => store.forgetAnswers(before, limit), signal);
}

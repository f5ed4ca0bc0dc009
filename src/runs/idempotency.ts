import { inBatches } from "../concurrency/periodic-jobs.ts";
import { DAY_MS } from "../time/duration.ts";

/** A request that must have its effect once, however often it is sent: the key of its sender, and what it asks for. */
export interface IdempotencyKey {
  principalUid: string;
  key: string;
  /** SHA-256 of the operation and the body. */
  requestHash: string;
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

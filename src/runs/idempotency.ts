import { inBatches } from "../concurrency/periodic-jobs.ts";
import { DAY_MS } from "../time/duration.ts";
import type { RunStore } from "./run.ts";

/** A request that must have its effect once, however often it is sent: the key of its sender, and what it asks for. */
export interface IdempotencyKey {
  principalUid: string;
  key: string;
  /** SHA-256 of the operation and the body. */
  requestHash: string;
}

/** The answer to give, from now or from when the key was first used; or that the key was used for another request. */
export type IdempotencyOutcome = { answer: string; isNew: boolean } | { differs: true };

/** How long a key is remembered, and with it the answer that was given under it. */
const ANSWERS_KEPT_MS = DAY_MS;

/** Forgets the keys that are older than a day. */
export function forgetAnswers(
  { store, now }: { store: Pick<RunStore, "forgetAnswers">; now: () => Date },
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(now().getTime() - ANSWERS_KEPT_MS).toISOString();
  return inBatches((limit) => store.forgetAnswers(before, limit), signal);
}

import { inBatches } from "../../concurrency/periodic-jobs.ts";
import { DAY_MS } from "../../time/duration.ts";

/** Long enough for a client that has lost the connection, and short enough that a secret is still shown only once. */
export const SHOWN_AGAIN_MS = 60_000;
/** For how long a key is known: its request does not take effect a second time. */
const KNOWN_MS = DAY_MS;

/** A request that somebody carries out. */
export interface SecretAnswerClaim {
  id: string;
  requestCode: string;
  /** Of this attempt alone. */
  holder: string;
  at: string;
  /** An attempt that began before this, and has not ended, is taken over: its server has ended. */
  abandonedBefore: string;
}

/** What is known of a request that was sent before. */
export interface SecretAnswerRecord {
  requestCode: string;
  /** Whether it is still being carried out. */
  isHeld: boolean;
  /** Nothing while there is no answer, and when it is no longer shown. */
  sealed: Uint8Array | undefined;
  answeredAt: string;
}

/** Keeps which requests for secrets were answered, and the answers, sealed. */
export interface SecretAnswerStore {
  /** @returns nothing when the request has to be carried out now, by this holder */
  claim(claim: SecretAnswerClaim): Promise<SecretAnswerRecord | undefined>;
  /** Keeps the answer, unless somebody else has taken the request over. */
  keep(claim: Pick<SecretAnswerClaim, "id" | "holder">, sealed: Uint8Array, at: string): Promise<void>;
  /** Forgets a request that had no effect. */
  release(claim: Pick<SecretAnswerClaim, "id" | "holder">): Promise<void>;
  /** Removes answers that are no longer shown, and forgets at most so many requests. @returns how many it forgot */
  expire(times: { shownSince: string; knownSince: string }, limit: number): Promise<number>;
}

/** Removes what is no longer shown, and forgets requests after a day. */
export function expireSecretAnswers(
  { store, now }: { store: Pick<SecretAnswerStore, "expire">; now: () => Date },
  signal?: AbortSignal,
): Promise<void> {
  const ago = (ms: number) => new Date(now().getTime() - ms).toISOString();
  const times = { shownSince: ago(SHOWN_AGAIN_MS), knownSince: ago(KNOWN_MS) };
  return inBatches((limit) => store.expire(times, limit), signal);
}

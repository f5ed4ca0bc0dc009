import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { inBatches } from "../../concurrency/periodic-jobs.ts";
import { MillraceError } from "../../errors/error.ts";
import { newUid } from "../../id.ts";
import { refuseOtherRequest } from "../../runs/idempotency.ts";
import { createSealer, type Sealer } from "../../secrets/seal.ts";
import { DAY_MS } from "../../time/duration.ts";
import { type ApiRequest, keyOf, type Reply, readIdempotencyKey } from "./endpoint.ts";

/** A repeated request waits so long for the first one, and asks so often. */
const PATIENCE_MS = 10_000;
const BETWEEN_LOOKS_MS = 100;
/** No request takes so long: the server that carried it out has ended, or has no store. */
const ABANDONED_AFTER_MS = 60_000;
const ANSWER_CONTEXT = "an answer with a secret";

type Request = Pick<ApiRequest, "caller" | "http" | "body">;

/** Answers with secrets that were just made, given again to a client that has lost them. */
export interface SecretAnswers {
  /**
   * Carries out a request, once for each Idempotency-Key of its sender. The same request is answered as before for a
   * minute, also while the first one is still being carried out; what was refused is not remembered.
   * @throws MillraceError `conflict` when the key was used for another request, or more than a minute ago
   */
  once<Answer extends Reply>(request: Request, carryOut: () => Promise<Answer>): Promise<Answer>;
}

export interface SecretAnswerDeps {
  store: Omit<SecretAnswerStore, "expire">;
  sealer: Pick<Sealer, "authenticate">;
  now: () => Date;
}

/**
 * Remembers in the store, so that every server gives the same answer, also after a restart. What is stored opens with the master
 * key and the Idempotency-Key together, of which only the sender has the second: a copy of the database is of no use, and one of
 * the master key with it neither.
 */
export function createSecretAnswers({ store, sealer, now }: SecretAnswerDeps): SecretAnswers {
  const ago = (ms: number) => new Date(now().getTime() - ms).toISOString();
  const at = () => ago(0);

  async function claim(id: string, requestCode: string, holder: string) {
    const until = now().getTime() + PATIENCE_MS;
    for (;;) {
      const abandonedBefore = ago(ABANDONED_AFTER_MS);
      const known = await store.claim({ id, requestCode, holder, at: at(), abandonedBefore });
      if (known && known.requestCode !== requestCode) return refuseOtherRequest();
      if (!known?.isHeld) return known;
      if (now().getTime() >= until) throw stillCarriedOut();
      await sleep(BETWEEN_LOOKS_MS);
    }
  }

  return {
    async once<Answer extends Reply>(request: Request, carryOut: () => Promise<Answer>): Promise<Answer> {
      const key = keyOf(request);
      const asked = readIdempotencyKey(request.http.request, key.principal.uid, request.body ?? {});
      if (!asked) return carryOut();
      const sent = `${key.id}\n${sessionOf(request)}\n${asked.key}`;
      const code = (of: string, text: string) => sealer.authenticate(`${ANSWER_CONTEXT}: ${of}\n${text}`);
      const own = createSealer(Buffer.from(code("what seals it", sent), "base64url"));
      const [id, holder] = [code("its sender", sent), newUid()];
      const known = await claim(id, code("what was asked", asked.requestHash), holder);
      // The same operation has made it: its path is part of the hash.
      if (known) return JSON.parse(own.open(shown(known, ago(SHOWN_AGAIN_MS)), ANSWER_CONTEXT));

      let reply: Answer;
      try {
        reply = await carryOut();
      } catch (error) {
        await store.release({ id, holder }).catch(() => {});
        throw error;
      }
      // It has taken effect: who asked is answered, also when nobody else can be.
      await store.keep({ id, holder }, own.seal(JSON.stringify(reply), ANSWER_CONTEXT), at()).catch(() => {});
      return reply;
    },
  };
}

/** What is shown to one session of a key is not shown to another, nor to a program that has the key. */
function sessionOf({ caller }: Request): string {
  const session = caller.kind === "key" ? caller.session : undefined;
  return session === undefined ? "" : createHash("sha256").update(session).digest("hex");
}

function shown({ sealed, answeredAt }: SecretAnswerRecord, since: string): Uint8Array {
  if (sealed && answeredAt >= since) return sealed;
  throw new MillraceError(
    "conflict",
    "The request with this Idempotency-Key took effect more than a minute ago, and its secret is no longer shown.",
    {
      remedy:
        "To get a secret that is shown, send a request with a new key: rotate the secret, or create another API key or worker.",
      retryable: false,
      extra: { field: "Idempotency-Key" },
    },
  );
}

function stillCarriedOut(): MillraceError {
  return new MillraceError(
    "service_unavailable",
    "The first request with this Idempotency-Key has not been answered yet.",
    { remedy: "Repeat the request with the same key.", retryAfter: 5 },
  );
}

/** Long enough for a client that has lost the connection, and short enough that a secret is still shown only once. */
const SHOWN_AGAIN_MS = 60_000;
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

import { createHash } from "node:crypto";
import { MillraceError } from "../../errors/error.ts";
import { DAY_MS } from "../../time/duration.ts";
import { type ApiRequest, keyOf, type Reply } from "./endpoint.ts";
import { readIdempotencyKey, refuseOtherRequest } from "./idempotency.ts";

/** Long enough for a client that has lost the connection, and short enough that a secret is still shown only once. */
const SHOWN_AGAIN_MS = 60_000;
/** For how long a key is known after that: its request does not take effect a second time. */
const KNOWN_MS = DAY_MS;
/** How many keys are known for each API key; beyond that, the oldest are forgotten. */
const MAX_KNOWN = 500;

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

interface Known {
  requestHash: string;
  /** Nothing when it is no longer shown. */
  answer: Promise<Reply> | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Remembers in memory alone: on disk, the secret would be stored for whoever reads the disk, and an answer that is of use
 * for a minute is not worth that. So a restart forgets everything.
 */
export function createSecretAnswers(): SecretAnswers {
  /** By the id of the API key: what one key sends cannot make the server forget what another has sent. */
  const known = new Map<string, Map<string, Known>>();

  function remember(keyId: string, sent: string, entry: Known): void {
    const ofKey = known.get(keyId) ?? new Map<string, Known>();
    known.set(keyId, ofKey);
    ofKey.set(sent, entry);
    const [oldest] = ofKey.keys();
    if (ofKey.size > MAX_KNOWN && oldest !== undefined) forget(keyId, oldest);
  }

  function forget(keyId: string, sent: string, only?: Known): void {
    const ofKey = known.get(keyId);
    const entry = ofKey?.get(sent);
    if (!ofKey || !entry || (only && entry !== only)) return;
    clearTimeout(entry.timer);
    ofKey.delete(sent);
    if (ofKey.size === 0) known.delete(keyId);
  }

  return {
    async once(request, carryOut) {
      const key = keyOf(request);
      const asked = readIdempotencyKey(request.http.request, key.principal.uid, request.body ?? {});
      if (!asked) return carryOut();
      const sent = `${sessionOf(request)}\n${asked.key}`;
      const before = known.get(key.id)?.get(sent);
      if (before) return answerAgain(before, asked.requestHash);

      const answer = carryOut();
      const entry: Known = { requestHash: asked.requestHash, answer, timer: undefined };
      remember(key.id, sent, entry);
      const later = (ms: number, what: () => void) => {
        entry.timer = setTimeout(what, ms);
        entry.timer.unref();
      };
      try {
        const reply = await answer;
        later(SHOWN_AGAIN_MS, () => {
          entry.answer = undefined;
          later(KNOWN_MS, () => forget(key.id, sent, entry));
        });
        return reply;
      } catch (error) {
        forget(key.id, sent, entry);
        throw error;
      }
    },
  };
}

/** What is shown to one session of a key is not shown to another, nor to a program that has the key. */
function sessionOf({ caller }: Request): string {
  const session = caller.kind === "key" ? caller.session : undefined;
  return session === undefined ? "" : createHash("sha256").update(session).digest("hex");
}

async function answerAgain<Answer extends Reply>(
  { requestHash, answer }: Known,
  asked: string,
): Promise<Answer> {
  if (requestHash !== asked) return refuseOtherRequest();
  // The same operation has made it: its path is part of the hash.
  if (answer) return (await answer) as Answer;
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

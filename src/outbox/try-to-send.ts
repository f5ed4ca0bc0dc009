import { waitAfter } from "../concurrency/rounds.ts";
import { OutboundError } from "../outbound/address-rules.ts";
import { type OutboundAnswer, retryAfterMs } from "../outbound/outbound-client.ts";
import { DAY_MS, HOUR_MS } from "../time/duration.ts";
import type { AttemptOutcome, Message } from "./outbox.ts";

/** A message that its receiver will never take. Its text is shown, so it names no secret. */
export class UndeliverableError extends Error {
  override name = "UndeliverableError";
}

/** That a message was handed over, and what is to be noted of it; or the answer of a receiver, which is judged. */
export type Sent = { note: string | null } | OutboundAnswer;

export interface TryOptions {
  message: Pick<Message<string, unknown>, "attempts" | "createdAt" | "requestedAt">;
  fingerprint: string;
  /** How many attempts to reach the target have failed in a row. */
  failures: number;
  now(): Date;
}

/** How long after its making, or after somebody asked for it again, a message is still tried. */
export const GIVEN_UP_AFTER_MS = 3 * DAY_MS;
export const GIVEN_UP = "given up after 3 days";
/** Of a secret that cannot be read, above all: its own words may quote a path. */
export const UNREADABLE_SECRET = "the request could not be made; check the target's secret";
/** After so many failures in a row, everything for a target waits, whatever the receiver answers: its circuit is open. */
export const MAX_FAILURES_IN_A_ROW = 5;
const RETRY = { firstMs: 2_000, mostMs: HOUR_MS, spread: 0.2 };
/** A receiver may not have its messages wait longer than this. */
const MAX_RETRY_AFTER_MS = DAY_MS;

/** Tries to send a message once. It does not throw: what goes wrong is an outcome. */
export async function tryToSend(
  send: () => Promise<Sent>,
  { message, fingerprint, failures, now }: TryOptions,
): Promise<AttemptOutcome> {
  const started = now();
  const failed = (error: string, rests: boolean, afterMs?: number): AttemptOutcome => {
    const at = now().getTime();
    // A receiver that says when to come back may be asked sooner than others, and not without a pause.
    const delay =
      afterMs === undefined
        ? waitAfter(Math.max(message.attempts, failures) + 1, RETRY)
        : Math.max(afterMs, waitAfter(1, RETRY));
    const nextAttemptAt = new Date(at + Math.min(delay, MAX_RETRY_AFTER_MS)).toISOString();
    const isOpen = rests || failures + 1 >= MAX_FAILURES_IN_A_ROW;
    const ofTarget = { restsUntil: isOpen ? nextAttemptAt : null, fingerprint };
    const since = Date.parse(message.requestedAt ?? message.createdAt);
    if (at - since > GIVEN_UP_AFTER_MS)
      return { state: "failed", error: `${GIVEN_UP}: ${error}`, ...ofTarget };
    return { state: "waiting", error, nextAttemptAt, ...ofTarget };
  };
  try {
    const sent = await send();
    if ("note" in sent) return { state: "sent", note: sent.note };
    const { status, body = "" } = sent;
    const at = now();
    const response = {
      status,
      body,
      at: at.toISOString(),
      ms: Math.max(0, at.getTime() - started.getTime()),
    };
    return { ...judge(sent), response };
  } catch (error) {
    if (error instanceof UndeliverableError) return { state: "failed", error: error.message };
    if (error instanceof OutboundError) return failed(error.message, true);
    return failed(UNREADABLE_SECRET, true);
  }

  function judge({ status, retryAfter }: OutboundAnswer): AttemptOutcome {
    if (status >= 200 && status < 300) return { state: "sent", note: null };
    if (status === 410)
      return { state: "failed", error: "the receiver answered 410 Gone", gone: fingerprint };
    const isRedirect = status >= 300 && status < 400;
    const error = `the receiver answered ${status}${isRedirect ? "; redirects are not followed" : ""}`;
    const isBusy = status === 429 || status === 503;
    const wait = isBusy ? retryAfterMs(retryAfter, now()) : undefined;
    // One that a receiver does not take says nothing of the next one.
    return failed(error, isBusy || status >= 500, wait);
  }
}

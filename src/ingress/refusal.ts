import { Overloaded } from "../edge/read-body.ts";
import { MillraceError } from "../errors/error.ts";
import { HOUR_MS } from "../time/duration.ts";
import { type Delivery, MAX_BODY_BYTES, type RejectedOutcome } from "./delivery.ts";

/** Why a request was not taken, as the metrics count it. */
export type RefusalReason =
  | "method"
  | "unknown_webhook"
  | "failure_budget"
  | "refusal_budget"
  | "delivery_budget"
  | "auth"
  | "too_large"
  | "invalid_json"
  | "no_room"
  | "store"
  | "error";

/**
 * What a sender is told when its request is not taken: enough to mend a mistake, nothing to learn a secret from. It has no stack
 * trace: nobody reads it, and making one costs more than the rest of the answer.
 */
export class Refusal extends MillraceError {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, ...rest: ConstructorParameters<typeof MillraceError>) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(...rest);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = "Refusal";
    this.reason = reason;
  }
}

/** As the metrics count what a request was answered with: an error that is none of those below comes from the store. */
export function reasonOf(error: unknown): RefusalReason {
  if (error instanceof Refusal) return error.reason;
  if (error instanceof Overloaded) return "no_room";
  return error instanceof MillraceError ? "store" : "error";
}

export function notPosted(): Refusal {
  return new Refusal("method", "method_not_allowed", "Use POST to send deliveries.");
}

/** Unknown, disabled, deleted and without a credential all look the same from outside. */
export function noSuchWebhook(): Refusal {
  return new Refusal("unknown_webhook", "resource_not_found", "No webhook exists at this address.");
}

/** @param retryAfter whole seconds, 1..60 */
export function blocked(retryAfter: number): Refusal {
  const message = `Too many deliveries from this address failed authentication; try again in ${retryAfter} s.`;
  return new Refusal("failure_budget", "rate_limited", message, { retryAfter });
}

/** @param retryAfter whole seconds, 1..60 */
export function tooManyRefusals(retryAfter: number): Refusal {
  const message = `Too many deliveries to this webhook were refused; try again in ${retryAfter} s.`;
  return new Refusal("refusal_budget", "rate_limited", message, { retryAfter });
}

/** @param retryAfter whole seconds, 1..60 */
export function overBudget(perMinute: number, retryAfter: number): Refusal {
  const message = `This webhook accepts ${perMinute} deliveries per minute; try again in ${retryAfter} s.`;
  return new Refusal("delivery_budget", "rate_limited", message, { retryAfter });
}

/** The body is made so that the filters of the webhook's automations take too long over it. */
export function tooCostly(): Refusal {
  const message =
    "This delivery takes too long to match against the filters of the automations that subscribe to it.";
  return new Refusal("no_room", "service_unavailable", message, { retryAfter: 60 });
}

/** The store refused the delivery each time, because what it was matched by was not in force any more. */
export function definitionsMoving(): Refusal {
  const message = "The definition of this webhook is being changed; try again in 1 s.";
  return new Refusal("store", "service_unavailable", message, { retryAfter: 1 });
}

/** What the outcome of a recorded refusal looks like to the sender. */
export function rejected(outcome: RejectedOutcome): Refusal {
  if (outcome === "Rejected (auth)") {
    return new Refusal("auth", "authentication_required", "The delivery could not be authenticated.");
  }
  if (outcome === "Rejected (too large)") {
    const message = `The body is larger than ${MAX_BODY_BYTES} bytes.`;
    return new Refusal("too_large", "payload_too_large", message);
  }
  return new Refusal("invalid_json", "invalid_request", "The body is not valid JSON.");
}

/** The newest deliveries of a webhook that the rule looks at. */
export const REFUSED_IN_A_ROW = 20;

/**
 * Whether a webhook refuses everything: its newest 20 deliveries came within the last hour, and not one of them was let in.
 * @param latest the newest first; more than 20 make no difference
 */
export function refusesAll(latest: readonly Pick<Delivery, "outcome" | "time">[], now: Date): boolean {
  const newest = latest.slice(0, REFUSED_IN_A_ROW);
  const since = now.getTime() - HOUR_MS;
  return (
    newest.length === REFUSED_IN_A_ROW &&
    newest.every(({ outcome, time }) => outcome.startsWith("Rejected") && Date.parse(time) >= since)
  );
}

/** So many refusals of the credential one after the other are no accident. */
const STREAK = 3;

/**
 * The newest deliveries of a webhook as far as they show that it refuses its sender: {@link STREAK} or more that were refused for their
 * credential one after the other, or all of them where {@link refusesAll}. None when it does not.
 */
export function refusedInARow<Each extends Pick<Delivery, "outcome" | "time">>(
  latest: readonly Each[],
  now: Date,
): readonly Each[] {
  if (refusesAll(latest, now)) return latest.slice(0, REFUSED_IN_A_ROW);
  const end = latest.findIndex(({ outcome }) => outcome !== "Rejected (auth)");
  const streak = end === -1 ? latest : latest.slice(0, end);
  return streak.length < STREAK ? [] : streak;
}

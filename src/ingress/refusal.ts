import { MillraceError } from "../error.ts";
import { LARGEST_BODY_BYTES, type RejectedOutcome } from "./delivery.ts";

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

/** What a sender is told when its request is not taken: enough to mend a mistake, nothing to learn a secret from. */
export class Refusal extends MillraceError {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, ...rest: ConstructorParameters<typeof MillraceError>) {
    super(...rest);
    this.name = "Refusal";
    this.reason = reason;
  }
}

export function notPosted(): Refusal {
  return new Refusal("method", "method_not_allowed", "Deliveries are POSTed.");
}

/** Unknown, disabled, deleted and without a credential all look the same from outside. */
export function noSuchWebhook(): Refusal {
  return new Refusal("unknown_webhook", "resource_not_found", "There is no webhook at this address.");
}

/** @param retryAfter whole seconds, 1..60 */
export function keptOut(retryAfter: number): Refusal {
  const message = `Too many deliveries from this address could not be authenticated; try again in ${retryAfter} s.`;
  return new Refusal("failure_budget", "rate_limited", message, { retryAfter });
}

/** @param retryAfter whole seconds, 1..60 */
export function tooManyRefusals(retryAfter: number): Refusal {
  const message = `Too many deliveries to this webhook were refused; try again in ${retryAfter} s.`;
  return new Refusal("refusal_budget", "rate_limited", message, { retryAfter });
}

/** @param retryAfter whole seconds, 1..60 */
export function overBudget(perMinute: number, retryAfter: number): Refusal {
  const message = `This webhook takes ${perMinute} deliveries a minute; try again in ${retryAfter} s.`;
  return new Refusal("delivery_budget", "rate_limited", message, { retryAfter });
}

/** So many bodies are on their way in that there is no memory for another. */
export function noRoom(): Refusal {
  const message = "The server is taking in as much as it can hold.";
  return new Refusal("no_room", "service_unavailable", message, { retryAfter: 1 });
}

/** The body is made so that the filters of the webhook's automations take too long over it. */
export function tooCostly(): Refusal {
  const message =
    "This delivery takes too long to hold against the filters of the automations that listen to it.";
  return new Refusal("no_room", "service_unavailable", message, { retryAfter: 60 });
}

/** What the outcome of a recorded refusal looks like to the sender. */
export function rejected(outcome: RejectedOutcome): Refusal {
  if (outcome === "Rejected (auth)") {
    return new Refusal("auth", "authentication_required", "The delivery could not be authenticated.");
  }
  if (outcome === "Rejected (too large)") {
    const message = `The body is larger than ${LARGEST_BODY_BYTES} bytes.`;
    return new Refusal("too_large", "payload_too_large", message);
  }
  return new Refusal("invalid_json", "invalid_request", "The body is not valid JSON.");
}

import type { Models } from "../../client/typed-paths.ts";
import type { OutboundMessageHead } from "../../outbound-webhooks/outbound-event.ts";
import { type OutboundTarget, originOf } from "../../outbound-webhooks/target.ts";
import type { TargetStanding } from "../../outbox/outbox.ts";
import { messageId } from "../../outbox/post-signed.ts";

/** An outbound webhook in the shape of the API, with what is known of its receiver. */
export function outboundView(
  target: OutboundTarget,
  standing: TargetStanding | undefined,
  now: Date,
): Models["Outbound"] {
  const { failures = 0, waiting = 0, restsUntil = null, failedBy = null, last = null } = standing ?? {};
  const opensAt = restsUntil !== null && Date.parse(restsUntil) > now.getTime() ? restsUntil : null;
  return {
    name: target.name,
    path: target.path ?? null,
    factory: target.owner?.name ?? null,
    factory_uid: target.owner?.uid ?? null,
    origin: originOf(target),
    secret_name: target.secretName ?? null,
    events: [...target.events],
    ...(target.pattern === undefined ? {} : { filter: target.pattern }),
    ...(target.factories === undefined ? {} : { factories: [...target.factories] }),
    enabled: target.isEnabled,
    ordered: target.isOrdered,
    state: stateOf(target, {
      isGone: standing?.gone === target.fingerprint,
      isOpen: opensAt !== null,
      failures,
    }),
    waiting,
    failures,
    next_attempt_at: opensAt,
    last_state: last?.state ?? null,
    last_at: last ? (last.endedAt ?? last.createdAt) : null,
    last_error: failedBy ?? last?.lastError ?? null,
  };
}

function stateOf(
  { isEnabled }: OutboundTarget,
  { isGone, isOpen, failures }: { isGone: boolean; isOpen: boolean; failures: number },
): Models["Outbound"]["state"] {
  if (!isEnabled) return "disabled";
  if (isGone) return "stopped";
  if (isOpen) return "open";
  return failures > 0 ? "failing" : "ready";
}

/** A delivery of an outbound webhook, without its body. */
export function outboundDeliveryView(message: OutboundMessageHead): Models["OutboundDelivery"] {
  const { response } = message;
  return {
    id: message.id,
    webhook_id: messageId(message.id),
    event: message.event,
    state: message.state,
    factory_uid: message.factoryUid,
    run_id: message.runId,
    attempts: message.attempts,
    last_error: message.lastError,
    response: response && {
      status: response.status,
      body: response.body,
      at: response.at,
      duration_ms: response.ms,
    },
    created_at: message.createdAt,
    redelivered_at: message.requestedAt,
    next_attempt_at: message.nextAttemptAt,
    ended_at: message.endedAt,
  };
}

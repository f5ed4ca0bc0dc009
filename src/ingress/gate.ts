import type { RequestListener } from "node:http";
import { rateBudget } from "../concurrency/budget.ts";
import type { BodyRoom } from "../edge/body-room.ts";
import { createGuard, type GuardSettings } from "../edge/guard.ts";
import { guardedHandler, type HandlerDeps } from "../edge/guarded-handler.ts";
import type { IdempotencyKey } from "../runs/idempotency.ts";
import { type Delivery, type DeliveryStore, MAX_BODY_BYTES, type Recorded } from "./delivery.ts";
import { createMatcher } from "./matching/matcher.ts";
import { type ReceiveDeps, receive } from "./receive.ts";
import { redeliver } from "./redeliver.ts";
import { blocked, type RefusalReason, reasonOf } from "./refusal.ts";
import { type OwnDeliveries, ownDeliveries } from "./test-delivery.ts";

export interface GateSettings extends GuardSettings {
  deliveriesPerMinute: number;
}

export interface IngressDeps extends ReceiveDeps, HandlerDeps {
  onRefused(reason: RefusalReason): void;
  /** Hears how long each request took that was answered with 202, from its last header to the answer. */
  onAnswered(seconds: number): void;
}

export interface GateDeps
  extends Omit<IngressDeps, "match" | "own" | "guard" | "deliveryBudget" | "refusalBudget"> {
  store: IngressDeps["store"] & Pick<DeliveryStore, "findPayload">;
  /** The memory for bodies on their way. */
  room: BodyRoom;
}

/** The ingress: what senders reach, and what its owner can do with what they sent. */
export interface Gate {
  handle: RequestListener;
  /** Takes an accepted delivery in once more. @throws MillraceError `conflict` when that cannot be */
  redeliver(delivery: Delivery, once?: IdempotencyKey | null): Promise<Recorded>;
  /** How this server sends a delivery to itself, which is then believed less than one of the provider. */
  sendOwn: OwnDeliveries["sending"];
  stop(): Promise<void>;
}

/** Beyond this, refusals of a webhook leave no record, so that nobody can flood its log (docs/webhooks.md). */
const RECORDED_REFUSALS_PER_MINUTE = 60;

/** The budgets last as long as the process, whatever becomes of the definitions. */
export function createGate(settings: GateSettings, deps: GateDeps): Gate {
  const clock = () => performance.now();
  const { match, stop } = createMatcher(deps);
  const own = ownDeliveries();
  return {
    handle: ingressHandler({
      ...deps,
      match,
      own,
      guard: createGuard(settings, { room: deps.room, limit: MAX_BODY_BYTES, blocked }),
      deliveryBudget: rateBudget(settings.deliveriesPerMinute, clock),
      refusalBudget: rateBudget(RECORDED_REFUSALS_PER_MINUTE, clock),
    }),
    async redeliver(delivery, once) {
      const recorded = await redeliver(delivery, { ...deps, match }, once);
      if (!recorded.keyUsed) deps.onRecorded(recorded.outcome);
      return recorded;
    },
    sendOwn: own.sending,
    stop,
  };
}

/** The ingress as one plain handler. */
export function ingressHandler(deps: IngressDeps): RequestListener {
  return guardedHandler({
    ...deps,
    receive: (request) => receive(request, deps),
    failure: "a delivery failed",
    onRefused: (error) => deps.onRefused(reasonOf(error)),
  });
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { failureBudget, rateBudget } from "./budget.ts";
import { clientAddress } from "./client-address.ts";
import { ingressHandler, type RouterParts } from "./router.ts";

export interface GateSettings {
  deliveriesPerMinute: number;
  failedAuthPerMinute: number;
  /** Proxies whose X-Forwarded-For is believed. */
  trustProxy: readonly string[];
}

export type GateParts = Omit<RouterParts, "addressOf" | "deliveryBudget" | "failureBudget" | "refusalBudget">;

/** Beyond this, refusals of a webhook leave no record, so that nobody can flood its log (interface, section 3). */
const RECORDED_REFUSALS_PER_MINUTE = 60;

/** The ingress with its budgets, which last as long as the process, whatever becomes of the definitions. */
export function createGate(
  settings: GateSettings,
  parts: GateParts,
): (request: IncomingMessage, response: ServerResponse) => void {
  const clock = () => performance.now();
  return ingressHandler({
    ...parts,
    addressOf: clientAddress(settings.trustProxy),
    deliveryBudget: rateBudget(settings.deliveriesPerMinute, clock),
    failureBudget: failureBudget(settings.failedAuthPerMinute, clock),
    refusalBudget: rateBudget(RECORDED_REFUSALS_PER_MINUTE, clock),
  });
}

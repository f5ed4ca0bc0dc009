import { type WebhookTable, webhookTable } from "../ingress/webhook-table.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import { NO_CAPS, type RunCaps, runCaps } from "../runs/caps.ts";

/** What the definitions in force come to, for those who must not look anything up. */
export interface InForce {
  webhooks(): WebhookTable;
  caps(): RunCaps;
  /** Hears of all factories whenever a definition comes into force. */
  onActive(factories: readonly Factory[]): void;
  /** Tells of them from now on, after what is in force was replaced. */
  tell(listener: (factories: readonly Factory[]) => void): void;
}

/** Replaces all of it as a whole: nobody sees a half of a definition. */
export function createInForce(): InForce {
  let [webhooks, caps]: [WebhookTable, RunCaps] = [new Map(), NO_CAPS];
  const listeners: ((factories: readonly Factory[]) => void)[] = [];
  return {
    webhooks: () => webhooks,
    caps: () => caps,
    onActive(factories) {
      webhooks = webhookTable(factories);
      caps = runCaps(factories);
      for (const listener of listeners) listener(factories);
    },
    tell: (listener) => void listeners.push(listener),
  };
}

import type { EventProviderName } from "../definitions/definition.ts";
import { providerOf } from "../definitions/listening.ts";
import { schemeOf } from "../definitions/schemes/schemes.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import { type Credential, compileCredential } from "./credential.ts";
import { listenersByWebhook, type TriggerListener } from "./matching/match.ts";
import { withPrevious } from "./overlap.ts";

/** A webhook as the ingress path needs it: everything at hand, nothing to be looked up. */
export interface IngressWebhook {
  uid: string;
  name: string;
  factoryUid: string;
  /** The generation of its factory that it is of. */
  generation: number;
  credential: Credential;
  /** In lower case, as headers are looked up. */
  deliveryIdHeader: string | undefined;
  /** The header that says what a delivery tells of, in lower case. */
  eventHeader: string | undefined;
  /** Whose signatures it checks. */
  provider: EventProviderName | undefined;
  listeners: readonly TriggerListener[];
}

/** Every webhook that takes deliveries, by uid. Replaced as a whole when a definition comes into force. */
export type WebhookTable = ReadonlyMap<string, IngressWebhook>;

/** Collects the webhooks of all factories that are enabled and have a credential. */
export function webhookTable(factories: readonly Factory[]): WebhookTable {
  const table = new Map<string, IngressWebhook>();
  for (const { record, active } of factories) {
    if (!active) continue;
    const listeners = listenersByWebhook({ uid: record.uid, active });
    for (const { uid, webhook, credential, previous } of active.webhooks) {
      if (!webhook.enabled || !credential) continue;
      const current = compileCredential(webhook, credential);
      table.set(uid, {
        uid,
        name: webhook.name,
        factoryUid: record.uid,
        generation: active.generation,
        credential: previous
          ? withPrevious(current, compileCredential(webhook, previous.secret), Date.parse(previous.until))
          : current,
        deliveryIdHeader: webhook.deliveryIdHeader?.toLowerCase(),
        eventHeader: webhook.authMode === "signature" ? schemeOf(webhook)?.eventHeader : undefined,
        provider: providerOf(webhook),
        listeners: listeners.get(uid) ?? [],
      });
    }
  }
  return table;
}

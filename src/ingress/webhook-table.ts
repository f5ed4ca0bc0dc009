import type { EventProviderName } from "../definitions/definition.ts";
import { providerOf } from "../definitions/listening.ts";
import { schemeOf } from "../definitions/schemes/schemes.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import { type Credential, compileCredential, withPrevious } from "./credential.ts";
import { listenersByWebhook, type TriggerListener } from "./matching/match.ts";
import { definitionsMoving } from "./refusal.ts";

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

/** The definitions in force, as this server knows them. The store may know better. */
export interface LatestDefinitions {
  /** The table in force now. */
  webhooks(): WebhookTable;
  /** Brings the table to what the store had at the time of the call, or later. */
  catchUp(): Promise<void>;
  /** Whether other servers change what is stored, so that nobody is refused before the store was asked. */
  isShared: boolean;
}

/**
 * Finds something in the table. What is not there is looked up again after one look at the store, where another server may
 * have made it.
 */
export async function findLatest<Found>(
  find: (table: WebhookTable) => Found | undefined,
  { webhooks, catchUp, isShared }: LatestDefinitions,
): Promise<Found | undefined> {
  const found = find(webhooks());
  if (found !== undefined || !isShared) return found;
  await catchUp();
  return find(webhooks());
}

/** Each of them comes to nothing only because a definition has come into force since it began. */
const MAX_ATTEMPTS = 5;

/**
 * Repeats what is decided by a definition until that is the one in force when it is recorded.
 * @param attempt returns nothing when it was not
 * @throws Refusal when definitions change faster than that
 */
export async function underLatest<Result>(
  attempt: () => Promise<Result | undefined>,
  { catchUp }: Pick<LatestDefinitions, "catchUp">,
): Promise<Result> {
  for (let made = 0; made < MAX_ATTEMPTS; made += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
    await catchUp();
  }
  throw definitionsMoving();
}

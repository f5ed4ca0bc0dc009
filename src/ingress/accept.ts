import { newUuid } from "../id.ts";
import type { DeliveryStore, Identity, Recorded } from "./delivery.ts";
import { identityKey, sha256 } from "./identify.ts";
import { asksForLinkedAuthors, authorToldBy, findLinkedAuthors } from "./linked-authors.ts";
import type { Matcher } from "./matcher.ts";
import type { IngressWebhook } from "./webhook-table.ts";

export interface AcceptParts {
  store: Pick<DeliveryStore, "record" | "findAuthors">;
  match: Matcher["match"];
  /** Called when a delivery has started runs. */
  onRuns(): void;
  now: () => Date;
}

/** A delivery that has passed every check. */
export interface CheckedDelivery {
  webhook: IngressWebhook;
  bytes: Buffer;
  payload: unknown;
  /** What the provider's header says that it tells of. */
  event: string | null;
  /** Made from the hash of the body, for a delivery whose sender gave no other identity. */
  identity(bodyHash: Buffer, id: string): Identity;
  redeliveryOf?: string;
}

/** Matches a delivery and records it with the runs that it starts, in one transaction that is durable on return. */
export async function acceptDelivery(delivery: CheckedDelivery, parts: AcceptParts): Promise<Recorded> {
  const { webhook, bytes, payload, event, redeliveryOf = null } = delivery;
  const { uid, name, factoryUid, listeners } = webhook;
  const id = newUuid();
  const bodyHash = sha256(bytes);
  const identity = delivery.identity(bodyHash, id);
  const asks = listeners.some(({ written }) => written.events.some(asksForLinkedAuthors));
  const authors = asks ? await findLinkedAuthors({ factoryUid, event, payload }, parts.store) : [];
  const runs = await parts.match(listeners, {
    factoryUid,
    bytes,
    webhookUid: uid,
    webhookName: name,
    deliveryId: id,
    event,
    payload,
    authors,
  });
  const recorded = await parts.store.record({
    id,
    factoryUid,
    webhookUid: uid,
    time: parts.now().toISOString(),
    identity,
    identityKey: identityKey(uid, identity),
    bodyHash,
    payload: bytes,
    redeliveryOf,
    event,
    pullRequest: authorToldBy(event, payload),
    runs,
  });
  if (recorded.outcome === "Accepted" && runs.length > 0) parts.onRuns();
  return recorded;
}

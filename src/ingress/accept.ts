import { MillraceError } from "../errors/error.ts";
import { newUuid } from "../id.ts";
import { readPullRequestEvent } from "../insight/read-pull-request-event.ts";
import { storable } from "../platform/storable-text.ts";
import type { IdempotencyKey } from "../runs/idempotency.ts";
import type { KeyEffects } from "../runs/rules/run-key.ts";
import type { DeliveryStore, Identity, ProvedBy, Recorded, Sender } from "./delivery.ts";
import { identityKey, sha256 } from "./identify.ts";
import { asksForLinkedAuthors, authorToldBy, findLinkedAuthors } from "./linked-authors.ts";
import type { Matcher } from "./matching/matcher.ts";
import type { IngressWebhook } from "./webhook-table.ts";

export interface AcceptDeps {
  store: Pick<DeliveryStore, "record" | "findAuthors">;
  match: Matcher["match"];
  /** Called when a delivery has started runs. */
  onRuns(): void;
  /** Called when a delivery belonged to a key: what it has done to runs that were there before. */
  onKeys(effects: KeyEffects): void;
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
  /** Nothing for one that is sent again from here. */
  sender?: Sender;
  /** Nothing for one that is sent again from here. */
  provedBy?: ProvedBy;
  /** Whether this server has sent it to itself as a test. */
  isOwn?: boolean;
  /** Of a redelivery: what makes all attempts of its sender one. */
  once?: IdempotencyKey | null;
}

/**
 * Matches a delivery and records it with the runs that it starts, in one transaction that is durable on return.
 * @returns nothing when the factory serves something else by then, so that nothing was recorded
 */
export async function acceptDelivery(
  delivery: CheckedDelivery,
  deps: AcceptDeps,
): Promise<Recorded | undefined> {
  const { webhook, bytes, payload, event, redeliveryOf = null, sender = null, isOwn = false } = delivery;
  const { provedBy = null } = delivery;
  const { uid, name, factoryUid, generation, listeners, provider } = webhook;
  const at = deps.now();
  const id = newUuid();
  const bodyHash = sha256(bytes);
  const identity = delivery.identity(bodyHash, id);
  const asks = listeners.some(({ written }) => written.events.some(asksForLinkedAuthors));
  const authors = asks ? await findLinkedAuthors({ factoryUid, event, payload }, deps.store) : [];
  // What a person here has written or sends again tells nothing new of who opened a pull request.
  const isNews = !isOwn && redeliveryOf === null;
  const runs = await deps.match(listeners, {
    factoryUid,
    bytes,
    webhookUid: uid,
    webhookName: name,
    deliveryId: id,
    event,
    payload,
    authors,
    isNews,
  });
  const recorded = await deps.store.record({
    id,
    factoryUid,
    generation,
    webhookUid: uid,
    time: at.toISOString(),
    // An id can come out of a body, and is shown. What it is recognised by is the key.
    identity: storable(identity),
    identityKey: identityKey(uid, identity),
    bodyHash,
    payload: bytes,
    redeliveryOf,
    event,
    sender,
    provedBy,
    pullRequest: isNews ? authorToldBy(event, payload) : null,
    pullRequestEvent: isNews ? readPullRequestEvent({ provider, event, payload }, at) : null,
    runs,
    ...(delivery.once ? { once: delivery.once } : {}),
  });
  if (recorded.outcome === "Outdated") return undefined;
  if (recorded.keyUsed === "other") throw usedForAnother();
  if (recorded.outcome === "Accepted" && !recorded.keyUsed && runs.length > 0) deps.onRuns();
  if (recorded.effects) deps.onKeys(recorded.effects);
  return recorded;
}

function usedForAnother(): MillraceError {
  return new MillraceError("conflict", "The Idempotency-Key was already used for a different request.", {
    remedy: "Use a new key for each request, and repeat a key only to retry the same request.",
    retryable: false,
    extra: { field: "Idempotency-Key" },
  });
}

import { bodyOf } from "../edge/read-body.ts";
import { MillraceError } from "../errors/error.ts";
import type { IdempotencyKey } from "../runs/idempotency.ts";
import { type AcceptDeps, acceptDelivery } from "./accept.ts";
import { type Delivery, type DeliveryStore, type Recorded, whyNoPayload } from "./delivery.ts";
import { findLatest, type IngressWebhook, type LatestDefinitions, underLatest } from "./webhook-table.ts";

export interface RedeliverDeps extends AcceptDeps, LatestDefinitions {
  store: Pick<DeliveryStore, "record" | "findAuthors" | "findPayload">;
}

/**
 * Takes an accepted delivery in once more, as a new record that is matched by the definition in force now.
 * @param once what makes all attempts of its sender one
 * @throws MillraceError `conflict` when it has no stored body, or its webhook takes no deliveries
 */
export async function redeliver(
  delivery: Delivery,
  deps: RedeliverDeps,
  once: IdempotencyKey | null = null,
): Promise<Recorded> {
  const payload = await deps.store.findPayload(delivery.id);
  if (!payload) throw nothingStored(delivery);
  const bytes = Buffer.from(payload);
  const identity = (_: Buffer, id: string) => ({ source: "redelivery", value: id }) as const;
  const json = bodyOf(bytes).json();
  const { id, event } = delivery;
  return underLatest(async () => {
    const webhook = await webhookOf(delivery, deps);
    return acceptDelivery(
      { webhook, bytes, payload: json?.value, event, identity, redeliveryOf: id, once },
      deps,
    );
  }, deps);
}

async function webhookOf(delivery: Delivery, deps: LatestDefinitions): Promise<IngressWebhook> {
  const found = await findLatest((table) => {
    const webhook = table.get(delivery.webhookUid);
    return webhook?.factoryUid === delivery.factoryUid ? webhook : undefined;
  }, deps);
  if (found) return found;
  throw takesNothing(delivery);
}

function nothingStored({ id, outcome, duplicateOf }: Delivery): MillraceError {
  const rule = outcome === "Accepted" ? "" : ", and only accepted deliveries have a stored body";
  const why = whyNoPayload({ outcome });
  return new MillraceError("conflict", `The delivery ${id} cannot be redelivered: ${why}${rule}.`, {
    retryable: false,
    ...(duplicateOf ? { remedy: `Redeliver the original: ${duplicateOf}.` } : {}),
  });
}

function takesNothing({ id }: Delivery): MillraceError {
  return new MillraceError(
    "conflict",
    `The delivery ${id} cannot be redelivered: its webhook was deleted, is disabled or has no secret.`,
    {
      remedy: "Restore or enable the webhook or set its secret, then redeliver.",
      retryable: false,
    },
  );
}

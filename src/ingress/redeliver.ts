import { MillraceError } from "../error.ts";
import { type AcceptParts, acceptDelivery } from "./accept.ts";
import { type Delivery, type DeliveryStore, type Recorded, whyNoPayload } from "./delivery.ts";
import { bodyOf } from "./read-body.ts";
import type { WebhookTable } from "./webhook-table.ts";

export interface RedeliverParts extends AcceptParts {
  store: Pick<DeliveryStore, "record" | "findAuthors" | "findPayload">;
  webhooks(): WebhookTable;
}

/**
 * Takes an accepted delivery in once more, as a new record that is matched by the definition in force now.
 * @throws MillraceError `conflict` when it has no stored body, or its webhook takes no deliveries
 */
export async function redeliver(delivery: Delivery, parts: RedeliverParts): Promise<Recorded> {
  const payload = await parts.store.findPayload(delivery.id);
  if (!payload) throw nothingStored(delivery);
  const webhook = parts.webhooks().get(delivery.webhookUid);
  if (!webhook) throw takesNothing(delivery);
  const bytes = Buffer.from(payload);
  const identity = (_: Buffer, id: string) => ({ source: "redelivery", value: id }) as const;
  const json = bodyOf(bytes).json();
  const { id, event } = delivery;
  return acceptDelivery({ webhook, bytes, payload: json?.value, event, identity, redeliveryOf: id }, parts);
}

function nothingStored({ id, outcome, duplicateOf }: Delivery): MillraceError {
  const rule = outcome === "Accepted" ? "" : ", and only accepted ones keep their body";
  const why = whyNoPayload({ outcome });
  return new MillraceError("conflict", `The delivery ${id} cannot be redelivered: ${why}${rule}.`, {
    retryable: false,
    ...(duplicateOf ? { remedy: `Redeliver the original: ${duplicateOf}.` } : {}),
  });
}

function takesNothing({ id }: Delivery): MillraceError {
  return new MillraceError(
    "conflict",
    `The delivery ${id} cannot be redelivered: its webhook is deleted, disabled or without a secret.`,
    {
      remedy: "Bring the webhook back, or enable it, and redeliver then.",
      retryable: false,
    },
  );
}

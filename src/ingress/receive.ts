import type { IncomingMessage } from "node:http";
import { MillraceError } from "../error.ts";
import { newUuid } from "../id.ts";
import { authenticate } from "./authenticate.ts";
import type { DeliveryStore, RejectedOutcome } from "./delivery.ts";
import { identify, identityKey, sha256 } from "./identify.ts";
import { matchDelivery } from "./match.ts";
import { type Body, LARGEST_BODY_BYTES, parseJson, readBody } from "./read-body.ts";
import type { IngressWebhook, WebhookTable } from "./webhook-table.ts";

export interface ReceiveParts {
  store: Pick<DeliveryStore, "record" | "recordRefusal">;
  /** The table in force now. */
  webhooks(): WebhookTable;
  /** Called when a delivery has started runs. */
  onRuns(): void;
  now: () => Date;
}

/** What the sender is told of a delivery that was taken. */
export interface Receipt {
  delivery_id: string;
}

const PATH = /^\/webhooks\/w\/([^/]+)$/;

/**
 * Takes a delivery in: the checks in the order of interface.md section 3, then one durable transaction.
 * @throws MillraceError for each refusal, after it has been recorded where it is to be recorded
 */
export async function receive(request: IncomingMessage, parts: ReceiveParts): Promise<Receipt> {
  if (request.method !== "POST") throw new MillraceError("method_not_allowed", "Deliveries are POSTed.");
  const webhook = findWebhook(request, parts.webhooks());
  const time = parts.now().toISOString();
  const refuse = refusals(webhook, time, parts);

  const authentication = authenticate(webhook, request);
  if (!authentication.ok)
    throw await refuse("Rejected (auth)", announcedSize(request), authentication.reason);
  const body = await readBody(request);
  if ("tooLarge" in body) throw await refuse("Rejected (too large)", sizeOf(body), "the body is over 256 KB");
  const json = parseJson(body.bytes);
  if (!json) throw await refuse("Rejected (invalid JSON)", body.bytes.length, "the body is not JSON");

  const id = newUuid();
  const bodyHash = sha256(body.bytes);
  const identity = identify(request.headers, webhook.deliveryIdHeader, undefined, bodyHash);
  const { uid, name, factoryUid } = webhook;
  const matchable = { webhookUid: uid, webhookName: name, deliveryId: id, payload: json.value };
  const runs = matchDelivery(webhook.listeners, matchable);
  const recorded = await parts.store.record({
    id,
    factoryUid,
    webhookUid: uid,
    time,
    identity,
    identityKey: identityKey(uid, identity),
    bodyHash,
    payload: body.bytes,
    redeliveryOf: null,
    runs,
  });
  if (recorded.outcome === "Accepted" && runs.length > 0) parts.onRuns();
  return { delivery_id: recorded.deliveryId };
}

/** Unknown, disabled, deleted and without a credential all look the same from outside. */
function findWebhook(request: IncomingMessage, table: WebhookTable): IngressWebhook {
  const path = request.url?.split("?", 1)[0] ?? "";
  const uid = PATH.exec(path)?.[1];
  const webhook = uid === undefined ? undefined : table.get(uid);
  if (webhook) return webhook;
  throw new MillraceError("resource_not_found", "There is no webhook at this address.");
}

type Refuse = (outcome: RejectedOutcome, size: number, reason: string) => Promise<MillraceError>;

/** What each outcome looks like to the sender: enough to mend a mistake, nothing to learn a secret from. */
const REFUSALS: Record<RejectedOutcome, () => MillraceError> = {
  "Rejected (auth)": () =>
    new MillraceError("authentication_required", "The delivery could not be authenticated."),
  "Rejected (too large)": () =>
    new MillraceError("payload_too_large", `The body is larger than ${LARGEST_BODY_BYTES} bytes.`),
  "Rejected (invalid JSON)": () => new MillraceError("invalid_request", "The body is not valid JSON."),
};

/** Records a refusal, metadata only, and makes the error that the sender sees. */
function refusals({ uid, factoryUid }: IngressWebhook, time: string, { store }: ReceiveParts): Refuse {
  return async (outcome, size, reason) => {
    await store.recordRefusal({ id: newUuid(), factoryUid, webhookUid: uid, time, outcome, size, reason });
    return REFUSALS[outcome]();
  };
}

function announcedSize(request: IncomingMessage): number {
  const size = Number(request.headers["content-length"] ?? 0);
  return Number.isSafeInteger(size) ? size : 0;
}

function sizeOf(body: Body): number {
  return "tooLarge" in body ? body.tooLarge : body.bytes.length;
}

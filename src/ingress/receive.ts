import type { IncomingMessage } from "node:http";
import type { RateBudget } from "../concurrency/budget.ts";
import type { Guard, GuardedRequest } from "../edge/guard.ts";
import type { Answer } from "../edge/guarded-handler.ts";
import { announcedBytes, type RequestBody } from "../edge/read-body.ts";
import { newUuid } from "../id.ts";
import { type AcceptDeps, acceptDelivery } from "./accept.ts";
import {
  type Arrival,
  type Authentication,
  addressOf,
  headersOf,
  headerText,
  isIngress,
  senderOf,
} from "./arrival.ts";
import type { DeliveryOutcome, DeliveryStore, RejectedOutcome, Sender } from "./delivery.ts";
import type { DroppedDeliveries } from "./dropped.ts";
import { identify } from "./identify.ts";
import { noSuchWebhook, notPosted, overBudget, rejected, tooManyRefusals } from "./refusal.ts";
import type { OwnDeliveries } from "./test-delivery.ts";
import { findLatest, type IngressWebhook, type LatestDefinitions, underLatest } from "./webhook-table.ts";

export interface ReceiveDeps extends AcceptDeps, LatestDefinitions {
  store: Pick<DeliveryStore, "record" | "recordRefusal" | "findAuthors">;
  guard: Guard;
  own: Pick<OwnDeliveries, "includes">;
  /** Deliveries of a webhook, after they are authenticated. */
  deliveryBudget: RateBudget;
  /** Refusals of a webhook that are recorded, so that nobody can flood its log. */
  refusalBudget: RateBudget;
  /** Hears of every refusal, and counts those that leave no record. */
  dropped: Pick<DroppedDeliveries, "count">;
  onRecorded(outcome: DeliveryOutcome): void;
}

/**
 * Takes a delivery in: the checks in the order of docs/webhooks.md, then one durable transaction.
 * @throws Refusal for each check that fails, after it has been recorded where it is to be recorded
 */
export async function receive(incoming: IncomingMessage, deps: ReceiveDeps): Promise<Answer> {
  if (!isIngress(incoming.url)) throw noSuchWebhook();
  if (incoming.method !== "POST") throw notPosted();
  const address = addressOf(incoming.url ?? "");
  const webhook = address && (await findLatest((table) => table.get(address.uid), deps));
  if (!webhook) throw noSuchWebhook();
  const request = new IngressRequest(incoming, webhook, address.urlToken, deps);
  try {
    request.guarded.requireNotBlocked();
    return await underLatest(() => attempt(request, deps), deps);
  } catch (error) {
    deps.dropped.count(request.webhook, error);
    throw error;
  }
}

/**
 * From the webhook as it is in force to the record: authenticate, match, record.
 * @returns nothing when the webhook was outdated on the way: then all of it is done once more, but for what is read and
 *   counted once
 */
async function attempt(request: IngressRequest, deps: ReceiveDeps): Promise<Answer | undefined> {
  const authenticated = await authenticate(request);
  if (!authenticated) return undefined;
  const { body, proof } = authenticated;
  request.requireBudget();
  const json = body.json();
  if (!json) {
    const why = whyNoJson(request.arrival, body);
    throw await request.refuse("Rejected (invalid JSON)", body.bytes.length, why);
  }

  const { webhook } = request;
  const { headers } = request.arrival;
  const { providerId, provedBy = "current" } = proof;
  const { credential } = webhook;
  const greeting = credential.kind === "signature" && credential.handshake(json.value, provedBy);
  if (greeting) {
    if (await request.isAnotherInStore()) return undefined;
    if ("answer" in greeting) return { status: 200, body: greeting.answer };
    throw await request.refuse("Rejected (auth)", body.bytes.length, greeting.refused);
  }
  const recorded = await acceptDelivery(
    {
      webhook,
      bytes: body.bytes,
      payload: json.value,
      event: eventOf(webhook, headers),
      sender: request.sender(),
      isOwn: request.isOwn,
      identity: (bodyHash) => identify(headers, webhook.deliveryIdHeader, providerId, bodyHash),
      provedBy,
    },
    deps,
  );
  if (!recorded) return undefined;
  deps.onRecorded(recorded.outcome);
  return { status: 202, body: { delivery_id: recorded.deliveryId } };
}

/** The longest name of an event is a fraction of this. */
const MAX_EVENT = 100;

function eventOf({ eventHeader }: IngressWebhook, headers: Arrival["headers"]): string | null {
  const event = eventHeader === undefined ? undefined : headerText(headers[eventHeader]);
  return event === undefined || event.length > MAX_EVENT ? null : event;
}

/** By what a delivery was let in. */
type Proof = Pick<Extract<Authentication, { ok: true }>, "providerId" | "provedBy">;

/**
 * A bearer or URL token is looked at before the body is read; a signature covers the body, so its size comes first. What is
 * authenticated draws on the delivery budget, whatever becomes of the request after that. A definition may come into force
 * while the body is on its way: its secret counts, and whether it still has the webhook.
 * @returns nothing when what is refused was outdated
 */
async function authenticate(
  request: IngressRequest,
): Promise<{ body: RequestBody; proof: Proof } | undefined> {
  const { credential } = request.webhook;
  let proof: Proof | undefined;
  if (credential.kind === "token" && !request.hasBody) {
    proof = await request.prove(credential.check(request.arrival), request.announcedSize);
    if (!proof) return undefined;
    request.drawOnBudget();
  }
  const body = await request.readBody({ isUnproven: proof === undefined });
  const isOther = await request.takeLatest();
  if (isOther || !proof) proof = await request.prove(checkWithBody(request, body), body.bytes.length);
  if (!proof) return undefined;
  request.drawOnBudget();
  return { body, proof };
}

function checkWithBody({ webhook, arrival }: IngressRequest, body: RequestBody): Authentication {
  const { credential } = webhook;
  const authentication = credential.check(arrival, body);
  if (authentication.ok || credential.kind === "token") return authentication;
  // Most senders sign first and compress then.
  const compressed = whyCompressed(arrival, body);
  return compressed ? { ok: false, reason: `${authentication.reason}; ${compressed}` } : authentication;
}

/** One request to one webhook, with the budgets that it draws on. Its body is read once, and it draws on a budget once. */
class IngressRequest {
  /** As it was when it was looked at last. */
  webhook: IngressWebhook;
  readonly arrival: Arrival;
  readonly announcedSize: number;
  /** Failures are counted for the webhook. */
  readonly guarded: GuardedRequest;
  /** Whether this server has sent it to itself as a test. */
  readonly isOwn: boolean;
  readonly deps: ReceiveDeps;
  #body: RequestBody | undefined;
  /** Seconds until the webhook's budget has a place for this delivery. */
  #wait: number | undefined;

  constructor(
    request: IncomingMessage,
    webhook: IngressWebhook,
    urlToken: string | undefined,
    deps: ReceiveDeps,
  ) {
    this.webhook = webhook;
    this.arrival = { headers: headersOf(request.rawHeaders), urlToken, now: deps.now().getTime() };
    const announced = announcedBytes(request);
    this.announcedSize = Number.isSafeInteger(announced) ? announced : 0;
    this.guarded = deps.guard.enter(request, webhook.uid);
    this.isOwn = deps.own.includes(request.headers);
    this.deps = deps;
  }

  sender(): Sender {
    return senderOf(this.guarded.address, this.arrival.headers);
  }

  /**
   * @returns what let the delivery in, or nothing when another server has changed the webhook that refuses it
   * @throws Refusal
   */
  async prove(authentication: Authentication, size: number): Promise<Proof | undefined> {
    if (!authentication.ok && (await this.isAnotherInStore())) return undefined;
    // Again: while this body was being read, others of the same address may have used up what there was to try.
    this.guarded.requireNotBlocked();
    if (authentication.ok) return authentication;
    this.guarded.fail(authentication.reason);
    throw await this.refuse("Rejected (auth)", size, authentication.reason);
  }

  /** @returns whether the webhook is another now */
  async takeLatest(): Promise<boolean> {
    const before = this.webhook;
    const latest = await findLatest((table) => table.get(before.uid), this.deps);
    if (!latest) throw noSuchWebhook();
    this.webhook = latest;
    return latest !== before;
  }

  /**
   * Looks once at what the store has: another server may have given the webhook the secret that the sender has.
   * @returns whether the webhook is another than the one that has refused the sender
   */
  async isAnotherInStore(): Promise<boolean> {
    if (!this.deps.isShared) return false;
    await this.deps.catchUp();
    return this.takeLatest();
  }

  drawOnBudget(): void {
    this.#wait ??= this.deps.deliveryBudget.take(this.webhook.uid);
  }

  /** The sender learns that there was no place only when the checks before it have passed. */
  requireBudget(): void {
    const wait = this.#wait ?? 0;
    if (wait > 0) throw overBudget(this.deps.deliveryBudget.perMinute, wait);
  }

  get hasBody(): boolean {
    return this.#body !== undefined;
  }

  async readBody({ isUnproven }: { isUnproven: boolean }): Promise<RequestBody> {
    if (this.#body) return this.#body;
    const body = await this.guarded.readBody({ isUnproven });
    if (!("bytes" in body))
      throw await this.refuse("Rejected (too large)", body.tooLarge, "the body is larger than 256 KB");
    this.#body = body;
    return body;
  }

  /** Records a refusal, metadata only, while there are not too many. @returns the error that the sender sees */
  async refuse(outcome: RejectedOutcome, size: number, reason: string): Promise<Error> {
    const { store, now, refusalBudget, onRecorded } = this.deps;
    const { uid, factoryUid } = this.webhook;
    const wait = refusalBudget.take(uid);
    if (wait > 0) return tooManyRefusals(wait);
    const time = now().toISOString();
    const refused = { id: newUuid(), factoryUid, webhookUid: uid, time, outcome, size, reason };
    await store.recordRefusal({ ...refused, sender: this.sender() });
    onRecorded(outcome);
    return rejected(outcome);
  }
}

/** Of a form, the type that its sender says: that is what has to be changed there. What begins like JSON is no form. */
function whyNoJson({ headers }: Pick<Arrival, "headers">, body: RequestBody): string {
  const compressed = whyCompressed({ headers }, body);
  if (compressed) return compressed;
  const type = headerText(headers["content-type"])?.slice(0, 100);
  const beginsLikeJson = /^\s*[[{"]/.test(body.bytes.toString("latin1", 0, MAX_LOOKED_AT));
  if (!type || !/form/i.test(type) || beginsLikeJson) return "the body is not JSON";
  return `the body is not JSON: its Content-Type is ${type}; configure the sender to send application/json`;
}

/** More white space before a value is hardly meant. */
const MAX_LOOKED_AT = 100;

/** Of a body that its sender has compressed, what has to be changed there. */
function whyCompressed({ headers }: Pick<Arrival, "headers">, { bytes }: RequestBody): string | undefined {
  const encoding = headerText(headers["content-encoding"])?.slice(0, 100);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isGzip && (!encoding || /^identity$/i.test(encoding))) return undefined;
  const how = encoding ? `Content-Encoding: ${encoding}` : "gzip";
  return `the body is compressed (${how}), and bodies are not decompressed; configure the sender to send it uncompressed`;
}

import { inBatches } from "../concurrency/periodic-jobs.ts";
import type { PullRequestEvent } from "../insight/pull-request.ts";
import type { IdempotencyKey } from "../runs/idempotency.ts";
import type { KeyEffects } from "../runs/rules/run-key.ts";
import type { NewRun } from "../runs/run.ts";
import { DAY_MS } from "../time/duration.ts";
import type { PullRequestAuthor, PullRequestName } from "./linked-authors.ts";

/** A body is at most 256 KB: 262,144 bytes (spec, Limits). */
export const MAX_BODY_BYTES = 256 * 1024;

/** How a delivery ended. Each is recorded once, and its outcome never changes (spec, Delivery outcome). */
export const OUTCOMES = [
  "Accepted",
  "Duplicate",
  "Rejected (auth)",
  "Rejected (invalid JSON)",
  "Rejected (too large)",
] as const;
export type DeliveryOutcome = (typeof OUTCOMES)[number];
export type RejectedOutcome = Exclude<DeliveryOutcome, "Accepted" | "Duplicate">;

/** What makes a delivery the same as one before, and where that was found. */
export interface Identity {
  source: "configured_header" | "provider" | "service_header" | "body_hash" | "redelivery";
  /** As the sender wrote it; of a body, its SHA-256 in hexadecimal. */
  value: string;
}

/** What is kept of who sent a delivery, each value bounded in length. */
export interface Sender {
  /** As the server sees it, behind proxies that it trusts. */
  address: string;
  contentType: string | null;
  userAgent: string | null;
  /** Those with the event and the id of a delivery that one of the schemes has, by their names in lower case. */
  headers: Record<string, string>;
}

/** The entry of the log that a person reads. */
export interface Delivery {
  id: string;
  factoryUid: string;
  webhookUid: string;
  outcome: DeliveryOutcome;
  /** Bytes of the body; of one refused before it was read, what its sender announced. */
  size: number;
  time: string;
  identity: Identity | null;
  /** For the owner only: why a delivery was refused. */
  reason: string | null;
  /** Of a duplicate: whether its body is another than that of the original. */
  bodyDiffers: boolean | null;
  duplicateOf: string | null;
  redeliveryOf: string | null;
  /** What the provider's header says that it tells of, for example `issues`; only of accepted ones. */
  event: string | null;
  /** Nothing for one that was sent again from here, or before senders were kept. */
  sender: Sender | null;
  /** Nothing for a refused one, one that was sent again from here, and one that an earlier version has recorded. */
  provedBy: ProvedBy | null;
}

/** Which of a webhook's secrets has proved a delivery, while a rotation leaves both in force. */
export type ProvedBy = "current" | "previous";

/** Why nothing is stored of the body of a delivery, for an end of a sentence. */
export function whyNoPayload({ outcome }: Pick<Delivery, "outcome">): string {
  return outcome === "Accepted" ? "its payload was deleted" : `its outcome is ${outcome}`;
}

/** A delivery that has passed every check, with the runs that it starts if it is not a duplicate. */
export interface AcceptableDelivery {
  id: string;
  factoryUid: string;
  /** The generation of the factory that it was authenticated and matched under. */
  generation: number;
  webhookUid: string;
  time: string;
  identity: Identity;
  /** Identifies the delivery among all that this webhook has accepted. */
  identityKey: Uint8Array;
  bodyHash: Uint8Array;
  payload: Uint8Array;
  redeliveryOf: string | null;
  event: string | null;
  sender: Sender | null;
  provedBy: ProvedBy | null;
  /** What its sender says of the author of a pull request; nothing of one that was sent from here. */
  pullRequest: PullRequestAuthor | null;
  /** What its sender says of a pull request, as {@link pullRequest}. */
  pullRequestEvent: PullRequestEvent | null;
  runs: NewRun[];
  /** Recorded only if this key was not used before; nothing for what its identity alone tells from others. */
  once?: IdempotencyKey | null;
}

/** A refused delivery: metadata only. */
export interface RefusedDelivery {
  id: string;
  factoryUid: string;
  webhookUid: string;
  time: string;
  outcome: RejectedOutcome;
  size: number;
  reason: string;
  sender: Sender | null;
}

/** What recording came to. A duplicate names the accepted original, and starts nothing. */
export interface Recorded {
  outcome: "Accepted" | "Duplicate";
  /** What the sender is told: of a duplicate, the id of the original. */
  deliveryId: string;
  /** Its key was used before, so nothing was recorded: for the same delivery, which is the one of then, or for another. */
  keyUsed?: "same" | "other";
  /** Of one whose runs belong to keys: what follows for runs that were there before. */
  effects?: KeyEffects;
}

/** Nothing was recorded, because the factory is gone or serves something else than what the delivery was matched under. */
export interface Outdated {
  outcome: "Outdated";
}

/** Accepted deliveries with their bodies, which follow each other without anything between. */
export interface StoredBodies {
  deliveries: { id: string; event: string | null; size: number }[];
  bodies: Uint8Array;
}

/** A webhook as its deliveries know it: what came under its uid for another factory is not its own. */
export interface LoggedWebhook {
  factoryUid: string;
  uid: string;
}

/** How many deliveries a webhook had in some time, by how they ended. */
export interface DeliveryCounts {
  accepted: number;
  duplicates: number;
  rejected: number;
}

/** How many deliveries were refused without a record in the hour that begins then. */
export interface DroppedHour {
  hour: string;
  /** By a budget of the webhook. */
  overBudget: number;
  /** Because their address had failed to authenticate too often. */
  blocked: number;
}

/** The same of all webhooks of a factory. */
export type DroppedByFactory = Pick<LoggedWebhook, "factoryUid"> & DroppedHour;

/** Keeps the counts of what was refused without a record. */
export interface DroppedStore {
  /** Those of the hours from one on, in no order. */
  listDropped(since: string): Promise<(LoggedWebhook & DroppedHour)[]>;
  /** The same, summed up for each factory. */
  listDroppedByFactory(since: string): Promise<DroppedByFactory[]>;
  /** Replaces the counts of these hours, and forgets those of hours before one. */
  saveDropped(counts: readonly (LoggedWebhook & DroppedHour)[], forgetBefore: string): Promise<void>;
}

/** Keeps the delivery log. `find` and `list` read, the rest writes; each call is one transaction. */
export interface DeliveryStore extends DroppedStore {
  /** Identity, delivery, runs and their attachments, all or nothing, durable when this resolves. */
  record(delivery: AcceptableDelivery): Promise<Recorded | Outdated>;
  recordRefusal(delivery: RefusedDelivery): Promise<void>;
  list(query: DeliveryQuery): Promise<DeliveryPage>;
  /** Since when the oldest delivery waits that cannot be found by its words yet. */
  findSearchBacklog(): Promise<{ since: string | null }>;
  /** Newest first. */
  listByWebhook(webhook: LoggedWebhook, page: { before?: string; limit: number }): Promise<Delivery[]>;
  /** When each of these webhooks had its last delivery that was let in; those without one since an instant are left out. */
  findLastDelivered(
    factoryUid: string,
    webhookUids: readonly string[],
    since: string,
  ): Promise<Record<string, string>>;
  /** How the last deliveries of each of these webhooks ended, by its uid, the newest first. */
  findLatestOf(
    webhooks: readonly LoggedWebhook[],
    most: number,
  ): Promise<Record<string, Pick<Delivery, "outcome" | "time" | "reason">[]>>;
  /** How many deliveries of a webhook are in the log, and how many of them since an instant. */
  findCounts(
    webhook: LoggedWebhook,
    since: string,
  ): Promise<{ all: number; recent: number; lastAt: string | null }>;
  /** Of the hour that begins then, in milliseconds; webhooks without deliveries are left out. */
  listHourlyDeliveries(
    webhooks: readonly LoggedWebhook[],
    hour: number,
  ): Promise<(LoggedWebhook & DeliveryCounts)[]>;
  find(id: string): Promise<Delivery | undefined>;
  /** The first delivery that was recognised by a key, of an identity or of a happening. */
  findFirst(key: Uint8Array): Promise<string | undefined>;
  /** The body of an accepted delivery as it came, unless somebody has had it deleted. */
  findPayload(id: string): Promise<Uint8Array | undefined>;
  /** Accepted deliveries of a webhook since an instant, newest first, a page at a time; an empty page is the end. */
  listBodies(webhook: LoggedWebhook, page: { since: string; before?: string }): Promise<StoredBodies>;
  /** The last deliveries of a webhook since an instant that its previous secret has proved, newest first. */
  listProvedByPrevious(webhook: LoggedWebhook, page: { since: string; limit: number }): Promise<Delivery[]>;
  /** Who opened these pull requests, as far as accepted deliveries of the factory have told. */
  findAuthors(factoryUid: string, pullRequests: readonly PullRequestName[]): Promise<string[]>;
  listAuthors(factoryUid: string): Promise<PullRequestAuthor[]>;
  /** Forgets pull requests that no delivery has told of since an instant. @returns how many; as many as `limit` means that there may be more */
  forgetAuthors(before: string, limit: number): Promise<number>;
  /** The uids of webhooks that have deliveries in the log, deleted ones too. */
  listLoggedWebhooks(): Promise<string[]>;
  /**
   * Drops the oldest deliveries of a webhook from the log: those before an instant and not among its newest. A run
   * keeps the body that it was given.
   * @returns how many were dropped; as many as `limit` means that there may be more
   */
  prune(webhookUid: string, keep: { since: string; newest: number }, limit: number): Promise<number>;
  /** Forgets the body of a delivery, and the copies that its runs were given. @returns whether no run still needs it */
  forgetPayload(id: string): Promise<boolean>;
  /**
   * Forgets deliveries of a webhook up to one, with their bodies; those that a run still needs stay.
   * @returns which; as many as `limit` means that there may be more
   */
  forgetDeliveries(webhook: LoggedWebhook, upTo: string, limit: number, at: string): Promise<string[]>;
  /** How many deliveries of a webhook there are up to one. */
  findCount(webhook: LoggedWebhook, upTo: string): Promise<number>;
  /** Forgets identities accepted before an instant whose deliveries have left the log. @returns how many */
  forgetIdentities(before: string, limit: number): Promise<number>;
}

/** What is asked of the delivery log. Different filters all have to fit. */
export interface DeliveryFilter {
  /** Only deliveries to these webhooks; without it, to all. */
  webhooks?: readonly LoggedWebhook[] | undefined;
  outcomes?: readonly DeliveryOutcome[] | undefined;
  /** Whether the delivery has runs. */
  started?: boolean | undefined;
  /** Whether a run of the delivery failed or ended with an error. */
  failed?: boolean | undefined;
  /** Words that the delivery has, all of them, in any order; a star ends the beginning of a word. */
  text?: string | undefined;
  /** What it tells of, as its provider calls it. */
  event?: string | undefined;
  /** In milliseconds, inclusive. */
  since?: number | undefined;
  /** In milliseconds, exclusive. */
  until?: number | undefined;
}

export interface DeliveryQuery extends DeliveryFilter {
  limit: number;
  /** The id at which the page before ended: only older ones follow. */
  before?: string | undefined;
}

/**
 * Deliveries, newest first. A page examines a bounded part of the log, so it can have fewer than the limit, or none,
 * although more follow.
 */
export interface DeliveryPage {
  deliveries: Delivery[];
  /** Where the next page goes on; nothing on the last one. */
  next: string | null;
  /** Of a search: when the oldest delivery came that cannot be found yet; nothing when all can. */
  behindSince?: string | undefined;
  /** Of a search: from when on old deliveries can be found, while an earlier version's are being made findable. */
  searchedFrom?: string | undefined;
  /** Of a search: so many words begin as it asks that none of them were looked up. */
  isTooBroad?: true;
}

/** A delivery that is older than the log keeps stays while it is among the newest of its webhook (spec, Limits). */
const NEWEST_KEPT = 50;
/** An identity outlives the log, so that a late retry of what was accepted long ago starts nothing. */
const MIN_MEMORY_MS = 30 * DAY_MS;
/** GitHub tells of old pull requests too; of one that it has not told of for so long, nothing is asked any more. */
const AUTHORS_KEPT_MS = 180 * DAY_MS;

export interface RetentionDeps {
  store: Pick<DeliveryStore, "listLoggedWebhooks" | "prune" | "forgetIdentities" | "forgetAuthors">;
  /** How long deliveries stay in the log, in milliseconds. */
  keepMs: number;
  now: () => Date;
}

/** Keeps the delivery log from growing for ever. The log goes first: an identity is forgotten only when its delivery is gone. */
export async function pruneDeliveries(deps: RetentionDeps, signal?: AbortSignal): Promise<void> {
  const { store, keepMs, now } = deps;
  const before = (ms: number) => new Date(now().getTime() - ms).toISOString();
  const keep = { since: before(keepMs), newest: NEWEST_KEPT };
  for (const webhook of await store.listLoggedWebhooks()) {
    await inBatches((limit) => store.prune(webhook, keep, limit), signal);
  }
  const memory = Math.max(MIN_MEMORY_MS, keepMs + DAY_MS);
  await inBatches((limit) => store.forgetIdentities(before(memory), limit), signal);
  await inBatches((limit) => store.forgetAuthors(before(AUTHORS_KEPT_MS), limit), signal);
}

import { inBatches } from "../concurrency/periodic-jobs.ts";
import { DAY_MS } from "../time/duration.ts";
import type { DeliveryStore } from "./delivery.ts";

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

import { inBatches } from "../concurrency/periodic-jobs.ts";
import { DAY_MS } from "../time/duration.ts";
import type { Outbox, OutboxSize } from "./outbox.ts";

const KEPT_MS = 30 * DAY_MS;

/** Keeps an outbox from growing for ever. */
export function pruneOutbox(
  { outbox, now }: { outbox: Pick<Outbox<string, unknown>, "prune">; now: () => Date },
  kept: OutboxSize,
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(now().getTime() - KEPT_MS).toISOString();
  return inBatches((limit) => outbox.prune(before, kept, limit), signal);
}

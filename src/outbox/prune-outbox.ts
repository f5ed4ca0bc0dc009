import { inBatches } from "../concurrency/periodic-jobs.ts";
import { DAY_MS } from "../time/duration.ts";
import type { Outbox, OutboxSize } from "./outbox.ts";

const KEPT_MS = 30 * DAY_MS;

/** Keeps an outbox from growing for ever. What ends meanwhile is left to the next time. */
export async function pruneOutbox(
  { outbox, now }: { outbox: Pick<Outbox<string, unknown>, "findOverflow" | "prune">; now: () => Date },
  kept: OutboxSize,
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(now().getTime() - KEPT_MS).toISOString();
  const overflow = await outbox.findOverflow(kept);
  await inBatches((limit) => outbox.prune(before, overflow, limit), signal);
}

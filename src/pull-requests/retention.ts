import { inBatches } from "../concurrency/periodic-jobs.ts";
import type { PullRequestStore } from "./pull-request.ts";

export interface EventRetentionDeps {
  store: Pick<PullRequestStore, "forgetEvents">;
  /** How long events are kept, in milliseconds. */
  keepMs: number;
  now: () => Date;
}

/** Keeps what deliveries tell of pull requests from growing for ever. */
export function pruneEvents({ store, keepMs, now }: EventRetentionDeps, signal?: AbortSignal): Promise<void> {
  const before = new Date(now().getTime() - keepMs).toISOString();
  return inBatches((limit) => store.forgetEvents(before, limit), signal);
}

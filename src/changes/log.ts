import { inBatches } from "../concurrency/periodic-jobs.ts";

/**
 * Something that has changed, in the order of the commits: a run and its state, a delivery and its outcome, a factory, a pause,
 * the hold of a provider, a task, a budget; or something that was deleted because someone asked for it.
 */
export interface ChangeRecord {
  /** Rises with every change. */
  seq: number;
  kind: "run" | "delivery" | "factory" | "pause" | "hold" | "run_deleted" | "webhook" | "task" | "budget";
  /** The id or the uid of what has changed. */
  subject: string;
  factoryUid: string | null;
  /** The webhook of a delivery. */
  webhookUid: string | null;
  /**
   * The state of a run, the outcome of a delivery, the sync status of a factory, whether a pause or a hold was created or ended, what
   * was deleted of a webhook, the stage of a task and whether it was deleted, or which limit of a budget is used up.
   */
  status: string;
  at: string;
}

/** Keeps the newest changes. `find` and `list` read, the rest writes; each call is one transaction. */
export interface ChangeStore {
  listAfter(seq: number, limit: number): Promise<ChangeRecord[]>;
  /** The oldest change that is kept and the newest; 0 when there is none. */
  findRange(): Promise<{ first: number; last: number }>;
  /** Forgets the oldest changes beyond the newest. @returns how many; `limit` means that there may be more */
  prune(keepNewest: number, limit: number): Promise<number>;
}

/** Where nothing is to be written, a position in the log is written down this seldom: each time costs a sync of the disk. */
export const MAX_UNRECORDED = 1_000;

/** Half an hour of a busy server, and months of a quiet one. */
const NEWEST_KEPT = 1_000_000;
/** Neighbours in one table: more of them go at a time than of anything else. */
const BATCH = 1_000;

/** Keeps the changes from growing for ever. */
export function pruneChanges(store: Pick<ChangeStore, "prune">, signal?: AbortSignal): Promise<void> {
  return inBatches((limit) => store.prune(NEWEST_KEPT, limit), signal, BATCH);
}

/** How far the list of runs is behind the runs: it is updated after what changes them was committed. */
export interface ListingBacklog {
  /** At least as many changes as are not listed yet. */
  changes: number;
  /** When the oldest of them happened. */
  since: string | null;
}

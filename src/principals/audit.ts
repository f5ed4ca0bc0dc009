import { inBatches } from "../concurrency/periodic-jobs.ts";
import { DAY_MS } from "../time/duration.ts";
import type { Principal } from "./principal.ts";

/** One call that writes: who called what, and how it was answered. What the call carried is no part of it. */
export interface AuditRecord {
  /** A UUID of version 7, so that records sort by time. */
  id: string;
  at: string;
  /** As it was then. For the token of a run, who that run is executed as: its agent. */
  principal: Principal;
  /** The API key of the call; null for a call with a run's token. */
  keyId: string | null;
  runId: string | null;
  /** The factory that the call names, or that of the run whose token was used; null where there is none. */
  factoryUid: string | null;
  /** The `operationId` in the description of the API. */
  action: string;
  /** The path parameters. */
  subject: string;
  /** The HTTP status of the response. */
  status: number;
  /** What an answer that refuses is found by in the log. */
  traceId: string | null;
  address: string;
}

/** A record as it is read. */
export interface StoredAuditRecord extends AuditRecord {
  /** How many more calls like this were refused within the minute, which have no records of their own. */
  repeats: number;
  /** When the last of these calls arrived. */
  lastAt: string | null;
}

/** A refused call that is counted on the record of another. */
export interface AuditRepeat {
  /** The record that counts. */
  id: string;
  at: string;
  /** The call's own record, where it was written before the call was refused. */
  dropped: string | null;
}

/** How a call ended otherwise than its record says. */
export type AuditCorrection = Pick<AuditRecord, "id" | "status" | "traceId">;

/** Which records are asked for. */
export interface AuditFilter {
  /** A principal, by its uid or its name. */
  actor?: string | undefined;
  action?: string | undefined;
  factoryUid?: string | undefined;
  /** In milliseconds: from this instant on. */
  since?: number | undefined;
  /** In milliseconds: before this instant. */
  until?: number | undefined;
}

export interface AuditQuery extends AuditFilter {
  /** The id of the last record that was examined for the page before. */
  before?: string | undefined;
  limit: number;
}

export interface AuditPage {
  /** The newest first. */
  records: StoredAuditRecord[];
  /** Where the page after it begins; null at the end. A page examines a part of the log, and may be short before the end. */
  next: string | null;
}

/** Keeps the audit log. `list` reads, the rest writes; each call is one transaction. */
export interface AuditStore {
  list(query: AuditQuery): Promise<AuditPage>;
  record(record: AuditRecord): Promise<void>;
  correct(correction: AuditCorrection): Promise<void>;
  /** Counts a call on a record, in place of a record of its own. @returns whether that record is there */
  repeat(call: AuditRepeat): Promise<boolean>;
  /** Deletes the oldest, at most so many of those that are older than an instant. @returns how many */
  prune(before: string, limit: number): Promise<number>;
}

const KEPT_MS = 90 * DAY_MS;

/** Deletes every record that is older than 90 days. */
export async function pruneAudit(
  { store, now }: { store: Pick<AuditStore, "prune">; now: () => Date },
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(now().getTime() - KEPT_MS).toISOString();
  await inBatches((limit) => store.prune(before, limit), signal);
}

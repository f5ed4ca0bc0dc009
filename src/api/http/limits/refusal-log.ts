import { minuteBudget } from "../../../concurrency/budget.ts";
import type { AuditRecord, AuditStore } from "../../../principals/audit.ts";
import { MINUTE_MS } from "../../../time/duration.ts";

/** How many refused calls of a caller have records of their own in a minute. */
const MAX_RECORDED_PER_MINUTE = 60;
/** When there are so many, those whose minute has passed are forgotten. */
const SHARED_BEFORE_SWEEP = 1_000;

/** A refused call, with the status and trace id of its answer. */
export interface Refusal {
  record: AuditRecord;
  /** Whether the record is in the log already, as that of a call that succeeds. */
  isWritten: boolean;
  /** Whether the caller had spent a limit: such refusals share one record from the first. */
  isOverLimit: boolean;
}

/** Writes refused calls down. Anybody with a key can make as many of them as they like, so their number is bounded. */
export interface RefusalLog {
  keep(refusal: Refusal): Promise<void>;
}

/**
 * Records so many refused calls of a caller in a minute one by one. Further ones with the same action and status are counted
 * on one record, which is on the disk before the answer as well.
 */
export function createRefusalLog(
  audit: Pick<AuditStore, "record" | "correct" | "repeat">,
  clock: () => number = () => performance.now(),
): RefusalLog {
  const recorded = minuteBudget(MAX_RECORDED_PER_MINUTE, clock);
  const shared = new Map<string, { id: string; ends: number }>();

  const write = ({ record, isWritten }: Refusal): Promise<void> =>
    isWritten ? audit.correct(record) : audit.record(record);

  /** The record that counts for a group in this minute. */
  function sharedBy(group: string): string | undefined {
    const found = shared.get(group);
    return found && found.ends > clock() ? found.id : undefined;
  }

  function share(group: string, id: string): void {
    if (shared.size >= SHARED_BEFORE_SWEEP)
      for (const [key, { ends }] of shared) if (ends <= clock()) shared.delete(key);
    shared.set(group, { id, ends: clock() + MINUTE_MS });
  }

  return {
    async keep(refusal) {
      const { record, isWritten, isOverLimit } = refusal;
      const caller = record.keyId ?? record.runId ?? record.principal.uid;
      if (!isOverLimit && recorded.blockedFor(caller) === 0) {
        recorded.count(caller);
        return write(refusal);
      }
      const group = isOverLimit ? `${caller} limit` : `${caller} ${record.action} ${record.status}`;
      const id = sharedBy(group);
      const call = { at: record.at, dropped: isWritten ? record.id : null };
      if (id !== undefined && (await audit.repeat({ id, ...call }))) return;
      share(group, record.id);
      await write(refusal);
    },
  };
}

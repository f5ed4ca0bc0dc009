import { minuteBudget } from "../../concurrency/budget.ts";
import { MillraceError } from "../../errors/error.ts";
import type { AuditRecord, AuditStore } from "../../principals/audit.ts";
import type { ApiKey } from "../../principals/principal.ts";
import type { Run } from "../../runs/run.ts";
import { MINUTE_MS } from "../../time/duration.ts";

/** Each call that writes leaves a record, allowed or not: an agent in a loop must not fill the store. */
const MAX_WRITES_PER_MINUTE = 60;
/** An agent reports a few times in a turn; the limit of a minute alone would let it write for as long as the turn lasts. */
const MAX_WRITES_PER_TURN = 600;
/** Each sign-in stores a session and a record. */
const MAX_SIGN_INS_PER_MINUTE = 30;
/** How many runs are remembered: turns that go on are called from, and so stay among the newest. */
const MAX_TURNS_REMEMBERED = 10_000;
const TRY_AGAIN_SECONDS = 60;

/** Whose calls are counted: a key, or the agent of a run in one of its turns. */
type Writer = { kind: "key" } | { kind: "run"; run: Turn };
type Turn = Pick<Run, "id" | "turn">;

/** Limits on what callers make the server store, whether their calls succeed or are refused. */
export interface WriteLimits {
  /** Counts a call that writes. @returns why it is refused, when its caller has made too many */
  refuseCall(caller: Writer): MillraceError | undefined;
  /** Counts a sign-in. @throws MillraceError `rate_limited` */
  admitSignIn(key: ApiKey): void;
}

/**
 * The limits last as long as the process. Calls with a key have no limit of their own: whoever may write with one may store
 * runs too, and refused calls are bounded by the {@link RefusalLog}.
 */
export function createWriteLimits(clock: () => number = () => performance.now()): WriteLimits {
  const calls = minuteBudget(MAX_WRITES_PER_MINUTE, clock);
  const signIns = minuteBudget(MAX_SIGN_INS_PER_MINUTE, clock);
  const turns = countTurns();
  return {
    refuseCall(caller) {
      if (caller.kind === "key") return undefined;
      const { run } = caller;
      if (turns.countOf(run) >= MAX_WRITES_PER_TURN) return spentTurn(run);
      const seconds = calls.blockedFor(run.id);
      if (seconds > 0) return spentMinute(run, seconds);
      calls.count(run.id);
      turns.add(run);
      return undefined;
    },
    admitSignIn({ id }) {
      const seconds = signIns.blockedFor(id);
      if (seconds > 0) throw tooManySignIns(seconds);
      signIns.count(id);
    },
  };
}

function countTurns() {
  const counts = new Map<string, { turn: number; calls: number }>();
  const countOf = ({ id, turn }: Turn) => {
    const counted = counts.get(id);
    return counted?.turn === turn ? counted.calls : 0;
  };
  return {
    countOf,
    add(run: Turn) {
      const calls = countOf(run) + 1;
      // Set anew, it is the newest of the map, whose order is that of insertion.
      counts.delete(run.id);
      counts.set(run.id, { turn: run.turn, calls });
      const [oldest] = counts.keys();
      if (counts.size > MAX_TURNS_REMEMBERED && oldest !== undefined) counts.delete(oldest);
    },
  };
}

function spentMinute({ id }: Turn, retryAfter: number): MillraceError {
  return new MillraceError(
    "rate_limited",
    `The token of run ${id} has made ${MAX_WRITES_PER_MINUTE} write calls within a minute, which is the limit.`,
    {
      remedy:
        "Wait until Retry-After has passed, and send one report instead of many. Reads are not limited.",
      retryAfter,
    },
  );
}

function spentTurn({ id, turn }: Turn): MillraceError {
  return new MillraceError(
    "rate_limited",
    `The token of run ${id} has made ${MAX_WRITES_PER_TURN} write calls in turn ${turn}, which is the limit for a turn.`,
    {
      remedy: "Retrying in this turn does not help: write further results to a file in artifacts/.",
      retryable: false,
      retryAfter: TRY_AGAIN_SECONDS,
    },
  );
}

function tooManySignIns(retryAfter: number): MillraceError {
  return new MillraceError(
    "rate_limited",
    `The key has signed in ${MAX_SIGN_INS_PER_MINUTE} times within a minute, which is the limit.`,
    {
      remedy:
        "Wait until Retry-After has passed. Programs need no session: send `Authorization: Bearer <API key>` instead.",
      retryAfter,
    },
  );
}

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

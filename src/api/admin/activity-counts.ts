import { seldom } from "../../concurrency/shared-work.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../time/duration.ts";

/** What came in to one factory in a span of time. */
export interface DeliveryCounts {
  factoryUid: string;
  accepted: number;
  duplicates: number;
  rejected: number;
}

/** Runs that were created in a span of time, by how they stand now. A null factory stands for runs of none. */
export interface RunCounts {
  factoryUid: string | null;
  /** The beginning of the span, in milliseconds. */
  at: number;
  runs: number;
  succeeded: number;
  failed: number;
  cancelled: number;
}

/** Runs of a factory that have not ended. */
export interface OpenRunCounts {
  factoryUid: string | null;
  waiting: number;
  working: number;
  /** Those that have no agent, because they wait for other runs. */
  resting: number;
  blocked: number;
}

/** Counts what the store holds. Instants are in milliseconds. */
export interface ActivityStore {
  listDeliveryCounts(since: number, until: number): Promise<DeliveryCounts[]>;
  /** @param span the length of each span, whose beginnings are its multiples */
  listRunCounts(since: number, until: number, span: number): Promise<RunCounts[]>;
  listOpenRunCounts(): Promise<OpenRunCounts[]>;
}

/** The counts of one store, of which nothing is counted twice in a short time. */
export interface ActivityCounts {
  /** @param at the beginning of a minute or an hour, as long as `span` says */
  deliveries(at: number, span: number): Promise<readonly DeliveryCounts[]>;
  runs(since: number, span: number): Promise<readonly RunCounts[]>;
  openRuns(): Promise<readonly OpenRunCounts[]>;
}

/** The longest range that is asked for, with the day in which it begins. */
const HOURS_REMEMBERED_MS = 31 * DAY_MS;
/** Minutes are asked for the last hour alone: a month of them would be forty thousand lists. */
const MINUTES_REMEMBERED_MS = 2 * HOUR_MS;
/** Deliveries have their times before they are committed: so long after its end, a span gets nothing more. */
const SETTLED_MS = MINUTE_MS;
/** So much is counted in one read: what else is read goes on between two. */
const RUNS_COUNTED_MS = HOUR_MS;
/** Counting all runs of a large store takes a second or more. It is done in a twentieth of the time. */
const REST_FACTOR = 20;

interface CountingDeps {
  activity: ActivityStore;
  now: () => Date;
}

export function countActivity({ activity, now }: CountingDeps): ActivityCounts {
  const spans = new Map<string, { forgottenAt: number; counts: Promise<readonly DeliveryCounts[]> }>();
  const rarely = seldom(REST_FACTOR, now);

  function forgetOld(): void {
    const present = now().getTime();
    for (const [key, { forgottenAt }] of spans) if (forgottenAt < present) spans.delete(key);
  }

  /** Whoever asks while a span is counted waits for the same count. One that goes on is counted again by the next. */
  function deliveries(at: number, span: number): Promise<readonly DeliveryCounts[]> {
    const key = `${at} ${span}`;
    const known = spans.get(key);
    if (known) return known.counts;
    const isSettled = at + span + SETTLED_MS <= now().getTime();
    const counts =
      isSettled || span === MINUTE_MS ? activity.listDeliveryCounts(at, at + span) : ofMinutes(at);
    const remembered = span === MINUTE_MS ? MINUTES_REMEMBERED_MS : HOURS_REMEMBERED_MS;
    spans.set(key, { forgottenAt: at + remembered, counts });
    const forget = () => void spans.delete(key);
    counts.then(isSettled ? forgetOld : forget, forget);
    return counts;
  }

  /** An hour that goes on is counted by its minutes: those that are over have been counted before. */
  async function ofMinutes(hour: number): Promise<DeliveryCounts[]> {
    return sumByFactory(await Promise.all(minutesOf(hour).map((minute) => deliveries(minute, MINUTE_MS))));
  }

  function minutesOf(hour: number): number[] {
    const minutes = Math.floor((now().getTime() - hour) / MINUTE_MS) + 1;
    return Array.from({ length: Math.min(minutes, 60) }, (_, minute) => hour + minute * MINUTE_MS);
  }

  async function runs(since: number, span: number): Promise<RunCounts[]> {
    const counted: RunCounts[] = [];
    // Clocks of several servers differ: the last read takes all that is newer, too.
    const present = now().getTime();
    for (let at = since; at <= present; at += RUNS_COUNTED_MS) {
      const until = at + RUNS_COUNTED_MS;
      counted.push(
        ...(await activity.listRunCounts(at, until > present ? Number.MAX_SAFE_INTEGER : until, span)),
      );
    }
    return counted;
  }

  return {
    deliveries,
    runs: (since, span) => rarely(`runs ${since} ${span}`, () => runs(since, span)),
    openRuns: () => rarely("open", () => activity.listOpenRunCounts()),
  };
}

/** @returns the counts of several spans together */
function sumByFactory(spans: readonly (readonly DeliveryCounts[])[]): DeliveryCounts[] {
  const sums = new Map<string, DeliveryCounts>();
  for (const { factoryUid, accepted, duplicates, rejected } of spans.flat()) {
    const sum = sums.get(factoryUid) ?? { factoryUid, accepted: 0, duplicates: 0, rejected: 0 };
    sum.accepted += accepted;
    sum.duplicates += duplicates;
    sum.rejected += rejected;
    sums.set(factoryUid, sum);
  }
  return [...sums.values()];
}

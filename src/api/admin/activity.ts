import { seldom } from "../../concurrency/shared-work.ts";
import type { DroppedByFactory } from "../../ingress/delivery.ts";
import type { DroppedDeliveries } from "../../ingress/dropped.ts";
import { reachesFactory } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../time/duration.ts";
import { findFactory } from "../factories/factories.ts";
import { type ApiRequest, type Endpoints, keyOf } from "../http/endpoint.ts";
import { type Spans, spansOf, spansUntil } from "./activity-spans.ts";

export interface ActivityDeps {
  activity: ActivityStore;
  dropped: Pick<DroppedDeliveries, "ofFactories">;
  factories: Factories;
  now: () => Date;
}

type IsAsked = (factoryUid: string | null) => boolean;

/** What was counted in one span of a chart. */
interface SpanCounts {
  at: number;
  deliveries: DeliveryCounts[];
  runs: RunCounts[];
  dropped: DroppedByFactory[];
}

const HOURS_OF_HEALTH = 24;

export function activityEndpoints(deps: ActivityDeps) {
  const counts = countActivity(deps);

  async function countSpans({ length, starts }: Spans, isAsked: IsAsked): Promise<SpanCounts[]> {
    const first = starts[0] ?? 0;
    const spans = starts.map((at): SpanCounts => ({ at, deliveries: [], runs: [], dropped: [] }));
    const spanOf = (instant: number) => spans[Math.floor((instant - first) / length)];
    const counted = Math.min(length, HOUR_MS);
    const present = deps.now().getTime();
    for (let at = first; at <= present; at += counted) {
      const found = await counts.deliveries(at, counted);
      spanOf(at)?.deliveries.push(...found.filter(({ factoryUid }) => isAsked(factoryUid)));
    }
    for (const each of await counts.runs(first, counted))
      if (isAsked(each.factoryUid)) spanOf(each.at)?.runs.push(each);
    for (const each of await deps.dropped.ofFactories())
      if (isAsked(each.factoryUid)) spanOf(Date.parse(each.hour))?.dropped.push(each);
    return spans;
  }

  return {
    getActivity: {
      async handle(request) {
        const spans = spansUntil(deps.now(), HOUR_MS, request.query.hours);
        const hours = await countSpans(spans, scopeOf(request, deps.factories));
        return { json: { hours: hours.map(hourView) } };
      },
    },
    getActivityHistory: {
      async handle(request) {
        const { range, utc_offset } = request.query;
        const spans = spansOf(range, deps.now(), utc_offset);
        const buckets = await countSpans(spans, scopeOf(request, deps.factories));
        return { json: { bucket_seconds: spans.length / 1_000, buckets: buckets.map(bucketView) } };
      },
    },
    listFactoryActivity: {
      async handle(request) {
        const key = keyOf(request);
        const reached = deps.factories.list().filter(({ record }) => reachesFactory(key, record.uid));
        const uids = new Set<string | null>(reached.map(({ record }) => record.uid));
        const spans = spansUntil(deps.now(), HOUR_MS, HOURS_OF_HEALTH);
        const hours = await countSpans(spans, (uid) => uids.has(uid));
        const open = await counts.openRuns();
        return {
          json: {
            factories: reached.map(({ record: { uid, name } }) => {
              const ofFactory = ({ factoryUid }: { factoryUid: string | null }) => factoryUid === uid;
              const { waiting = 0, working = 0, resting = 0, blocked = 0 } = open.find(ofFactory) ?? {};
              return {
                uid,
                factory: name,
                runs_waiting: waiting,
                runs_in_progress: working,
                runs_waiting_for_runs: resting,
                runs_blocked: blocked,
                last_24_hours: sumsOf({
                  deliveries: hours.flatMap(({ deliveries }) => deliveries.filter(ofFactory)),
                  runs: hours.flatMap(({ runs }) => runs.filter(ofFactory)),
                  dropped: hours.flatMap(({ dropped }) => dropped.filter(ofFactory)),
                }),
              };
            }),
          },
        };
      },
    },
  } satisfies Endpoints;
}

/** Which factories' counts the caller wants and may have. @throws MillraceError `resource_not_found` */
function scopeOf(
  request: ApiRequest<"getActivity"> | ApiRequest<"getActivityHistory">,
  factories: Factories,
): IsAsked {
  const { factory } = request.query;
  if (factory !== undefined) {
    const { uid } = findFactory({ caller: request.caller, path: { factory } }, factories).record;
    return (factoryUid) => factoryUid === uid;
  }
  const key = keyOf(request);
  return (factoryUid) => reachesFactory(key, factoryUid);
}

function sumsOf({ deliveries, runs, dropped }: Omit<SpanCounts, "at">) {
  return {
    accepted: sum(deliveries, (each) => each.accepted),
    duplicates: sum(deliveries, (each) => each.duplicates),
    rejected: sum(deliveries, (each) => each.rejected),
    runs: sum(runs, (each) => each.runs),
    runs_succeeded: sum(runs, (each) => each.succeeded),
    runs_failed: sum(runs, (each) => each.failed),
    runs_cancelled: sum(runs, (each) => each.cancelled),
    over_budget: sum(dropped, (each) => each.overBudget),
    blocked: sum(dropped, (each) => each.blocked),
  };
}

function bucketView({ at, ...counts }: SpanCounts) {
  return { at: new Date(at).toISOString(), ...sumsOf(counts) };
}

function hourView(counts: SpanCounts) {
  const { runs_succeeded: _, runs_cancelled: __, ...view } = bucketView(counts);
  return view;
}

function sum<Each>(all: readonly Each[], of: (each: Each) => number): number {
  return all.reduce((total, each) => total + of(each), 0);
}

/** What came in to one factory in a span of time. */
interface DeliveryCounts {
  factoryUid: string;
  accepted: number;
  duplicates: number;
  rejected: number;
}

/** Runs that were created in a span of time, by how they stand now. A null factory stands for runs of none. */
interface RunCounts {
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

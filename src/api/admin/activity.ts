import type { DroppedByFactory } from "../../ingress/delivery.ts";
import type { DroppedDeliveries } from "../../ingress/dropped.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { HOUR_MS } from "../../time/duration.ts";
import { findFactory } from "../factories/factories.ts";
import { reachesFactory } from "../http/authorize.ts";
import { type ApiRequest, type Endpoints, keyOf } from "../http/endpoint.ts";
import { type ActivityStore, countActivity, type DeliveryCounts, type RunCounts } from "./activity-counts.ts";
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

import type { Factories } from "../../reconcile/factories.ts";
import { HOUR_MS } from "../../time/duration.ts";
import { findFactory } from "../factories/factories.ts";
import { reachesFactory } from "../http/authorize.ts";
import { type ApiRequest, type Endpoints, keyOf } from "../http/endpoint.ts";

/** What happened in one hour to one factory, or with null to runs of no factory. */
export interface HourCounts {
  factoryUid: string | null;
  accepted: number;
  duplicates: number;
  rejected: number;
  runs: number;
  runsFailed: number;
}

/** Counts what the store holds. */
export interface ActivityStore {
  /** @param hour its beginning, in milliseconds */
  listDeliveryCounts(hour: number): Promise<HourCounts[]>;
  /** @returns by the beginnings of the hours, from one on */
  listRunCounts(since: number): Promise<Record<number, HourCounts[]>>;
}

export interface ActivityDeps {
  activity: ActivityStore;
  factories: Factories;
  now: () => Date;
}

const MAX_HOURS = 168;

export function activityEndpoints(deps: ActivityDeps) {
  const deliveriesIn = rememberPast(deps);
  return {
    getActivity: {
      async handle(request) {
        const isAsked = scopeOf(request, deps.factories);
        const present = hourOf(deps.now());
        const hours = Array.from({ length: request.query.hours }, (_, back) => present - back * HOUR_MS);
        hours.reverse();
        const runs = await deps.activity.listRunCounts(hours[0] ?? present);
        const counted = [];
        for (const hour of hours) {
          const counts = [...(await deliveriesIn(hour)), ...(runs[hour] ?? [])];
          counted.push(
            hourView(
              hour,
              counts.filter(({ factoryUid }) => isAsked(factoryUid)),
            ),
          );
        }
        return { json: { hours: counted } };
      },
    },
  } satisfies Endpoints;
}

/** Which factories' counts the caller wants and may have. @throws MillraceError `resource_not_found` */
function scopeOf(
  request: ApiRequest<"getActivity">,
  factories: Factories,
): (factoryUid: string | null) => boolean {
  const { factory } = request.query;
  if (factory !== undefined) {
    const { uid } = findFactory({ caller: request.caller, path: { factory } }, factories).record;
    return (factoryUid) => factoryUid === uid;
  }
  const key = keyOf(request);
  return (factoryUid) => reachesFactory(key, factoryUid);
}

/** The log gets nothing more in an hour that is over, which may hold a hundred thousand deliveries: they are counted once. */
function rememberPast({ activity, now }: ActivityDeps): (hour: number) => Promise<HourCounts[]> {
  const past = new Map<number, HourCounts[]>();
  return async (hour) => {
    const known = past.get(hour);
    if (known) return known;
    const counts = await activity.listDeliveryCounts(hour);
    const present = hourOf(now());
    if (hour < present) past.set(hour, counts);
    for (const old of past.keys()) if (old <= present - MAX_HOURS * HOUR_MS) past.delete(old);
    return counts;
  };
}

function hourOf(instant: Date): number {
  return Math.floor(instant.getTime() / HOUR_MS) * HOUR_MS;
}

function hourView(hour: number, counts: readonly HourCounts[]) {
  const sum = (of: (counts: HourCounts) => number) => counts.reduce((total, each) => total + of(each), 0);
  return {
    at: new Date(hour).toISOString(),
    accepted: sum((each) => each.accepted),
    duplicates: sum((each) => each.duplicates),
    rejected: sum((each) => each.rejected),
    runs: sum((each) => each.runs),
    runs_failed: sum((each) => each.runsFailed),
  };
}

import type { BudgetOwner, BudgetOwnerKind } from "../../runs/rules/budget.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { DAY_MS, HOUR_MS } from "../../time/duration.ts";
import type { Database } from "../sqlite/database.ts";
import { isHeldPlacement, isOfStarted, LANE, LANES_BETWEEN, placementOfLane } from "./lanes.ts";

/** Whose runs are counted that a worker takes for the first time, and within what time, in milliseconds. */
export interface StartSpan {
  column: "factory_uid" | "agent_uid" | "automation_uid";
  uid: string;
  ms: number;
}

const COLUMNS = {
  factory: "factory_uid",
  agent: "agent_uid",
  automation: "automation_uid",
} as const satisfies Record<BudgetOwnerKind, StartSpan["column"]>;

export function hourOf(factoryUid: string): StartSpan {
  return { column: "factory_uid", uid: factoryUid, ms: HOUR_MS };
}

export function dayOf({ uid, kind }: Pick<BudgetOwner, "uid" | "kind">): StartSpan {
  return { column: COLUMNS[kind], uid, ms: DAY_MS };
}

/** The runs that were started within the time before an instant. */
export async function countStarted(
  db: Database,
  { column, uid, ms }: StartSpan,
  at: string,
): Promise<number> {
  const [since, until] = spanAround(at, ms);
  const row = await db.first<{ runs: number }>(
    `SELECT COUNT(*) AS runs FROM runs WHERE ${column} = $1 AND first_claimed_at > $2 AND first_claimed_at <= $3`,
    [uid, since, until],
  );
  return row?.runs ?? 0;
}

/** When a cap that is used up has room for a run again: so long after the start that stands in the way. */
export async function startOpening(
  db: Database,
  span: StartSpan,
  cap: number,
  at: string,
): Promise<string | undefined> {
  const surplus = (await countStarted(db, span, at)) - cap;
  if (surplus < 0) return undefined;
  const [since, until] = spanAround(at, span.ms);
  const row = await db.first<{ first_claimed_at: string }>(
    `SELECT first_claimed_at FROM runs WHERE ${span.column} = $1 AND first_claimed_at > $2 AND first_claimed_at <= $3
     ORDER BY first_claimed_at LIMIT 1 OFFSET $4`,
    [span.uid, since, until, surplus],
  );
  return row && new Date(Date.parse(row.first_claimed_at) + span.ms).toISOString();
}

/**
 * The instants between which a start counts. A clock that was set back leaves starts in its future: those of the same time ahead
 * count, so that no one starts twice as many by setting it, and later ones do not, so that nothing stands still for days.
 */
function spanAround(at: string, ms: number): [since: string, until: string] {
  const now = Date.parse(at);
  return [new Date(now - ms).toISOString(), new Date(now + ms).toISOString()];
}

const COUNT_IN_LANE = `SELECT COUNT(*) AS runs FROM (SELECT 1 FROM runs WHERE ${LANE} = $1 LIMIT $2) AS waiting`;

/** What is asked of the database to know whether one more run would have to wait for the next hour. */
export const HOUR_QUERIES: Readonly<Record<string, string>> = { LANES_BETWEEN, COUNT_IN_LANE };

/** How many more runs factories may start within their hour. */
export function factoryHours(db: Database): Pick<RunStore, "findHourOpening" | "findHourIsFull"> {
  return {
    async findHourOpening(perHour, at) {
      const openings = [];
      for (const [uid, cap] of Object.entries(perHour)) {
        const opensAt = await startOpening(db, hourOf(uid), cap, at);
        if (opensAt !== undefined) openings.push(opensAt);
      }
      return openings.sort()[0];
    },
    async findHourIsFull(factoryUid, cap, at) {
      const left = cap - (await countStarted(db, hourOf(factoryUid), at));
      if (left <= 0) return true;
      return (await countUnstarted(db, factoryUid, left)) >= left;
    },
  };
}

/** How many runs of a factory could be claimed and were not yet, up to a number. */
async function countUnstarted(db: Database, factoryUid: string, most: number): Promise<number> {
  let count = 0;
  // `0` comes right after the `/` behind its uid.
  const lanes = await db.all<{ lane: string }>(LANES_BETWEEN, [`${factoryUid}/`, `${factoryUid}0`]);
  for (const { lane } of lanes) {
    if (count >= most) break;
    if (isOfStarted(lane) || isHeldPlacement(placementOfLane(lane))) continue;
    count += (await db.first<{ runs: number }>(COUNT_IN_LANE, [lane, most - count]))?.runs ?? 0;
  }
  return count;
}

import type { BudgetOwner, BudgetOwnerKind } from "../../runs/rules/budget.ts";
import { DAY_MS, HOUR_MS } from "../../time/duration.ts";
import type { Database } from "../sqlite/database.ts";

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

/**
 * The expression of the index runs_waiting_in_lanes: nothing for a run that does not wait. Uids and placements are
 * without spaces.
 */
export const LANE = `(CASE WHEN state = 'QUEUED' THEN COALESCE(factory_uid, '') || '/' || COALESCE(automation_uid, '') || '/' ||
         COALESCE(webhook_uid, '') || CASE WHEN first_claimed_at IS NULL THEN '' ELSE '+' END ||
         CASE WHEN placement = '' THEN '' ELSE ' ' || placement END END)`;
/** The expression of the index runs_waiting_by_placement: nothing for a run that does not wait. */
export const QUEUED_PLACEMENT = "(CASE WHEN state = 'QUEUED' THEN placement END)";

/** The expression of the index runs_in_turn: the lanes again, all those of a placement together. Nothing for a run that does not wait. */
export const TURN_LANE = `(CASE WHEN state = 'QUEUED' THEN placement || ' ' || COALESCE(factory_uid, '') || '/' || COALESCE(automation_uid, '') || '/' ||
       COALESCE(webhook_uid, '') || CASE WHEN first_claimed_at IS NULL THEN '' ELSE '+' END END)`;
/** By which the runs of a lane come one after the other. */
export const QUEUED_AT = "COALESCE(queue_at, created_at)";

/** The first lane of a placement, or of one of its factories, and the end of them: `!` comes right after the space, `0` after `/`. */
export function turnLanesOf(placement: string, factory?: string): [from: string, until: string] {
  return factory === undefined
    ? [`${placement} `, `${placement}!`]
    : [`${placement} ${factory}/`, `${placement} ${factory}0`];
}

/** The lanes between two; as many steps as there are lanes. */
export const LANES_BETWEEN = `
  WITH RECURSIVE lanes (lane) AS (
    SELECT (SELECT MIN(${LANE}) FROM runs WHERE ${LANE} >= $1 AND ${LANE} < $2)
    UNION ALL
    SELECT (SELECT MIN(${LANE}) FROM runs WHERE ${LANE} > lanes.lane AND ${LANE} < $2)
    FROM lanes WHERE lanes.lane IS NOT NULL
  )
  SELECT lane FROM lanes WHERE lane IS NOT NULL`;

/** The placement of the runs in a lane. */
export function placementOfLane(lane: string): string {
  const space = lane.indexOf(" ");
  return space < 0 ? "" : lane.slice(space + 1);
}

/** Whether a worker has had the runs of a lane before. */
export function isOfStarted(lane: string): boolean {
  return (lane.split(" ", 1)[0] ?? "").endsWith("+");
}

/**
 * Stands before the placement of a run that is held. Nobody offers such a placement, so nobody claims the run, not even a server of
 * an earlier version; and it stands apart in the indexes from which runs are claimed, however many are held.
 */
const MARK = "~";

/** Changes to a row of `runs` that go with those of `held_until`. */
export const MARK_PLACEMENT = `placement = CASE WHEN held_until IS NULL THEN '${MARK}' || placement ELSE placement END`;
export const UNMARK_PLACEMENT = `placement = CASE WHEN held_until IS NULL THEN placement ELSE SUBSTR(placement, 2) END`;

/** The same for a run that waits for a provider, which may be held for its key as well: then its placement has both marks. */
export const MARK_FOR_PROVIDER = `placement = '${MARK}' || placement`;
export const UNMARK_FOR_PROVIDER = "placement = SUBSTR(placement, 2)";
/** For a run that has ended, which nothing holds. */
export const UNHELD = `held_until = NULL, provider_hold = NULL, placement = LTRIM(placement, '${MARK}')`;

export function heldPlacement(placement: string): string {
  return MARK + placement;
}

export function isHeldPlacement(placement: string): boolean {
  return placement.startsWith(MARK);
}

/** What a run demands of the worker that executes it, whether it is held or not. */
export function demandedPlacement(placement: string): string {
  return placement.replace(/^~+/, "");
}

/**
 * Stands before the placement of a run that is held. Nobody offers such a placement, so nobody claims the run, not even a server of
 * an earlier version; and it stands apart in the indexes from which runs are claimed, however many are held.
 */
const MARK = "~";

/** Changes to a row of `runs` that go with those of `held_until`. */
export const MARK_PLACEMENT = `placement = CASE WHEN held_until IS NULL THEN '${MARK}' || placement ELSE placement END`;
export const UNMARK_PLACEMENT = `placement = CASE WHEN held_until IS NULL THEN placement ELSE SUBSTR(placement, 2) END`;

export function heldPlacement(placement: string): string {
  return MARK + placement;
}

export function isHeldPlacement(placement: string): boolean {
  return placement.startsWith(MARK);
}

/** What a run demands of the worker that executes it, whether it is held or not. */
export function demandedPlacement(placement: string): string {
  return isHeldPlacement(placement) ? placement.slice(MARK.length) : placement;
}

/**
 * The expression of the index runs_waiting_in_lanes: nothing for a run that does not wait. Uids and placements are
 * without spaces.
 */
export const LANE = `(CASE WHEN state = 'QUEUED' THEN COALESCE(factory_uid, '') || '/' || COALESCE(automation_uid, '') || '/' ||
         COALESCE(webhook_uid, '') || CASE WHEN first_claimed_at IS NULL THEN '' ELSE '+' END ||
         CASE WHEN placement = '' THEN '' ELSE ' ' || placement END END)`;
/** The expression of the index runs_waiting_by_placement: nothing for a run that does not wait. */
export const QUEUED_PLACEMENT = "(CASE WHEN state = 'QUEUED' THEN placement END)";

/** From lane to lane: as many steps as there are lanes, not as there are runs. */
export const LANES = `
  WITH RECURSIVE lanes (lane) AS (
    SELECT (SELECT MIN(${LANE}) FROM runs WHERE ${LANE} > '')
    UNION ALL
    SELECT (SELECT MIN(${LANE}) FROM runs WHERE ${LANE} > lanes.lane) FROM lanes WHERE lanes.lane IS NOT NULL
  )
  SELECT lane FROM lanes WHERE lane IS NOT NULL`;
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

/** The oldest runs of several placements, from the oldest ones of each. */
export async function oldestPlaced<Row extends { run_id: string }>(
  placements: readonly string[],
  limit: number,
  oldestOf: (placement: string) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const placement of new Set(placements)) rows.push(...(await oldestOf(placement)));
  if (placements.length < 2) return rows;
  return rows.sort((a, b) => (a.run_id < b.run_id ? -1 : 1)).slice(0, limit);
}

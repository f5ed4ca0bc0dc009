import type { RunStore } from "../../runs/run.ts";
import { isHeldPlacement } from "../run-keys/held-placement.ts";
import type { Database } from "../sqlite/database.ts";
import { isOfStarted, LANE, LANES_BETWEEN, placementOfLane } from "./lanes.ts";
import { countStarted, hourOf, startOpening } from "./started-runs.ts";

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

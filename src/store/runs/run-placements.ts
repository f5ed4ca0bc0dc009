import type { PlacementStore } from "../../runs/rules/placement.ts";
import { MOVES } from "../../runs/rules/state.ts";
import type { RunStatusMessage } from "../../runs/run.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { isHeldPlacement, QUEUED_PLACEMENT } from "./lanes.ts";
import { moveRuns } from "./run-moves.ts";
import { dropWaits, tellWaiting } from "./run-waits.ts";

/** From placement to placement: as many steps as there are placements, not as there are runs. */
const PLACEMENTS = `
  WITH RECURSIVE placements (placement) AS (
    SELECT (SELECT MIN(${QUEUED_PLACEMENT}) FROM runs WHERE ${QUEUED_PLACEMENT} >= '')
    UNION ALL
    SELECT (SELECT MIN(${QUEUED_PLACEMENT}) FROM runs WHERE ${QUEUED_PLACEMENT} > placements.placement)
    FROM placements WHERE placements.placement IS NOT NULL
  )
  SELECT placement FROM placements WHERE placement IS NOT NULL`;
const WAITING = `SELECT COUNT(*) AS runs FROM runs WHERE ${QUEUED_PLACEMENT} = $1`;
const OLDEST = `SELECT updated_at FROM runs WHERE ${QUEUED_PLACEMENT} = $1 ORDER BY run_id LIMIT 1`;

/** What is asked of the database to know what waiting runs demand. */
export const PLACEMENT_QUERIES: Readonly<Record<string, string>> = { PLACEMENTS, WAITING, OLDEST };

/** What waiting runs demand of workers, and the end of those that no worker has fitted for too long. */
export function runPlacements(db: Database): PlacementStore {
  async function listQueuedPlacements(): Promise<string[]> {
    const rows = await db.all<{ placement: string }>(PLACEMENTS);
    return rows.map(({ placement }) => placement).filter((placement) => !isHeldPlacement(placement));
  }

  return {
    listQueuedPlacements,
    async listDemand() {
      const rows = await db.all<{ placement: string; runs: number }>(
        "SELECT placement, COUNT(*) AS runs FROM runs WHERE lease_expires_at IS NOT NULL GROUP BY placement",
      );
      const executing = new Map(rows.map(({ placement, runs }) => [placement, runs]));
      const demands = [];
      for (const placement of new Set([...(await listQueuedPlacements()), ...executing.keys()])) {
        const waiting = (await db.first<{ runs: number }>(WAITING, [placement]))?.runs ?? 0;
        const oldest = await db.first<{ updated_at: string }>(OLDEST, [placement]);
        demands.push({
          placement,
          waiting,
          executing: executing.get(placement) ?? 0,
          oldestSince: oldest?.updated_at ?? null,
        });
      }
      return demands.sort((a, b) => (a.placement < b.placement ? -1 : 1));
    },
    async endUnfitted({ placement, exceptFactories, queuedBefore, message }, limit, at) {
      const status: RunStatusMessage = { message, error_code: "infrastructure_timeout", retryable: true };
      const others =
        exceptFactories.length === 0
          ? ""
          : `AND COALESCE(factory_uid, '') NOT IN (${placeholders(exceptFactories.length, 5)})`;
      const moved = await moveRuns(
        db,
        MOVES.giveUp,
        {
          set: "status_message = $2, finished_at = $1",
          // A run begins to wait with the last of its moves.
          where: `run_id IN (SELECT run_id FROM runs
                             WHERE ${QUEUED_PLACEMENT} = $3 AND updated_at < $4 ${others} ORDER BY run_id LIMIT $5)`,
          values: [JSON.stringify(status), placement, queuedBefore, limit, ...exceptFactories],
        },
        at,
      );
      for (const { run_id } of moved) await dropWaits(db, run_id);
      for (const { run_id } of moved) await tellWaiting(db, run_id, at);
      return moved.length;
    },
  };
}

import type { ActivityStore } from "../../api/admin/activity.ts";
import { firstUuidOf } from "../../id.ts";
import type { Database } from "../sqlite/database.ts";
import { RESTING } from "./run-waits.ts";

/** How the audience of a run that belongs to no factory begins. */
const OWN_AUDIENCE = "creator:";

export function activityStore(db: Database): ActivityStore {
  return {
    async listDeliveryCounts(since, until) {
      // Ids tell the time.
      const rows = await db.all<{
        factory_uid: string;
        accepted: number;
        duplicates: number;
        deliveries: number;
      }>(
        `SELECT factory_uid, COUNT(*) AS deliveries, SUM(CASE WHEN outcome = 'Accepted' THEN 1 ELSE 0 END) AS accepted,
           SUM(CASE WHEN outcome = 'Duplicate' THEN 1 ELSE 0 END) AS duplicates
         FROM deliveries WHERE delivery_id >= $1 AND delivery_id < $2 GROUP BY factory_uid`,
        [firstUuidOf(since), firstUuidOf(until)],
      );
      return rows.map(({ factory_uid, accepted, duplicates, deliveries }) => ({
        factoryUid: factory_uid,
        accepted,
        duplicates,
        rejected: deliveries - accepted - duplicates,
      }));
    },
    async listRunCounts(since, until, span) {
      const rows = await db.all<RunCountsRow>(
        `SELECT span * $3 AS at, audience.text AS audience, SUM(runs) AS runs,
           SUM(CASE WHEN state.text = 'SUCCEEDED' THEN runs ELSE 0 END) AS succeeded,
           SUM(CASE WHEN state.text IN ('FAILED', 'ERROR') THEN runs ELSE 0 END) AS failed,
           SUM(CASE WHEN state.text = 'CANCELLED' THEN runs ELSE 0 END) AS cancelled
         FROM (SELECT created_at / $3 AS span, audience, state, COUNT(*) AS runs FROM run_listing
               WHERE created_at >= $1 AND created_at < $2 GROUP BY 1, 2, 3) counted
         JOIN facet_texts audience ON audience.id = counted.audience
         JOIN facet_texts state ON state.id = counted.state
         GROUP BY span, audience.text`,
        [since, until, span],
      );
      return rows.map(({ audience, ...counts }) => ({ factoryUid: factoryOf(audience), ...counts }));
    },
    async listOpenRunCounts() {
      const rows = await db.all<{ audience: string; waiting: number; working: number; blocked: number }>(
        `SELECT audience.text AS audience, SUM(CASE WHEN state.text IN ('QUEUED', 'PENDING') THEN runs ELSE 0 END) AS waiting,
           SUM(CASE WHEN state.text IN ('CLAIMED', 'INPROGRESS') THEN runs ELSE 0 END) AS working, SUM(CASE WHEN state.text = 'BLOCKED' THEN runs ELSE 0 END) AS blocked
         FROM (SELECT audience, state, COUNT(*) AS runs FROM run_listing
               WHERE state IN (SELECT id FROM facet_texts
                               WHERE text IN ('QUEUED', 'PENDING', 'CLAIMED', 'INPROGRESS', 'BLOCKED'))
               GROUP BY 1, 2) counted
         JOIN facet_texts audience ON audience.id = counted.audience
         JOIN facet_texts state ON state.id = counted.state
         GROUP BY audience.text`,
      );
      const restingIn = await listRestingCounts(db);
      return rows.map(({ audience, working, ...counts }) => {
        const factoryUid = factoryOf(audience);
        // The list may not know yet that a run rests.
        const resting = Math.min(working, restingIn.get(factoryUid) ?? 0);
        return { factoryUid, ...counts, working: working - resting, resting };
      });
    },
  };
}

/** Runs that wait for others, by their factory. */
async function listRestingCounts(db: Database): Promise<Map<string | null, number>> {
  const rows = await db.all<{ factory_uid: string | null; runs: number }>(
    `SELECT factory_uid, COUNT(DISTINCT run_waits.run_id) AS runs FROM ${RESTING} WHERE factory_uid IS NOT NULL GROUP BY factory_uid`,
  );
  return new Map(rows.map(({ factory_uid, runs }) => [factory_uid, runs]));
}

interface RunCountsRow {
  audience: string;
  at: number;
  runs: number;
  succeeded: number;
  failed: number;
  cancelled: number;
}

function factoryOf(audience: string): string | null {
  return audience.startsWith(OWN_AUDIENCE) ? null : audience;
}

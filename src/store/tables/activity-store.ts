import type { ActivityStore, HourCounts } from "../../api/admin/activity.ts";
import { firstUuidOf } from "../../id.ts";
import { HOUR_MS } from "../../time/duration.ts";
import type { Database } from "../sqlite/database.ts";

/** How the audience of a run that belongs to no factory begins. */
const OWN_AUDIENCE = "creator:";

export function activityStore(db: Database): ActivityStore {
  return {
    async listDeliveryCounts(hour) {
      // Ids tell the time.
      const rows = await db.all<{ factory_uid: string; outcome: string; deliveries: number }>(
        `SELECT factory_uid, outcome, COUNT(*) AS deliveries FROM deliveries
         WHERE delivery_id >= $1 AND delivery_id < $2 GROUP BY factory_uid, outcome`,
        [firstUuidOf(hour), firstUuidOf(hour + HOUR_MS)],
      );
      return rows.map(({ factory_uid, outcome, deliveries }) => ({
        ...NOTHING,
        factoryUid: factory_uid,
        [kindOf(outcome)]: deliveries,
      }));
    },
    async listRunCounts(since) {
      const rows = await db.all<{ hour: number; audience: string; runs: number; failed: number }>(
        `SELECT hour, audience.text AS audience, SUM(runs) AS runs, SUM(runs * (state.text IN ('FAILED', 'ERROR'))) AS failed
         FROM (SELECT created_at / ${HOUR_MS} AS hour, audience, state, COUNT(*) AS runs FROM run_listing
               WHERE created_at >= $1 GROUP BY 1, 2, 3) counted
         JOIN facet_texts audience ON audience.id = counted.audience
         JOIN facet_texts state ON state.id = counted.state
         GROUP BY hour, audience.text`,
        [since],
      );
      const hours: Record<number, HourCounts[]> = {};
      for (const { hour, audience, runs, failed } of rows) {
        const factoryUid = audience.startsWith(OWN_AUDIENCE) ? null : audience;
        const begins = hour * HOUR_MS;
        hours[begins] = [...(hours[begins] ?? []), { ...NOTHING, factoryUid, runs, runsFailed: failed }];
      }
      return hours;
    },
  };
}

const NOTHING: HourCounts = {
  factoryUid: null,
  accepted: 0,
  duplicates: 0,
  rejected: 0,
  runs: 0,
  runsFailed: 0,
};

function kindOf(outcome: string): "accepted" | "duplicates" | "rejected" {
  if (outcome === "Accepted") return "accepted";
  return outcome === "Duplicate" ? "duplicates" : "rejected";
}

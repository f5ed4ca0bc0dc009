import { firstUuidOf } from "../../id.ts";
import type { Delivery, DeliveryStore } from "../../ingress/delivery.ts";
import type { Database } from "../sqlite/database.ts";

/** What the log says of a webhook as a whole. Ids tell the time, and follow the webhook in the index that all of this reads. */
export function deliveryCounts(
  db: Database,
): Pick<DeliveryStore, "findLastDelivered" | "findLatestOf" | "findCounts"> {
  return {
    async findLastDelivered(factoryUid, webhookUids, since) {
      const last: Record<string, string> = {};
      for (const uid of webhookUids) {
        const row = await db.first<{ time: string }>(
          `SELECT time FROM deliveries
           WHERE webhook_uid = $1 AND factory_uid = $2 AND delivery_id >= $3 AND outcome IN ('Accepted', 'Duplicate')
           ORDER BY delivery_id DESC LIMIT 1`,
          [uid, factoryUid, firstUuidOf(Date.parse(since))],
        );
        if (row) last[uid] = row.time;
      }
      return last;
    },
    async findLatestOf(webhooks, most) {
      const latest: Record<string, Pick<Delivery, "outcome" | "time" | "reason">[]> = {};
      for (const { factoryUid, uid } of webhooks) {
        latest[uid] = await db.all<Pick<Delivery, "outcome" | "time" | "reason">>(
          `SELECT outcome, time, reason FROM deliveries WHERE webhook_uid = $1 AND factory_uid = $2
           ORDER BY delivery_id DESC LIMIT $3`,
          [uid, factoryUid, most],
        );
      }
      return latest;
    },
    async findCounts({ factoryUid, uid }, since) {
      const row = await db.first<{ total: number; recent: number | null; last_at: string | null }>(
        `SELECT COUNT(*) AS total, SUM(CASE WHEN delivery_id >= $3 THEN 1 ELSE 0 END) AS recent,
           (SELECT time FROM deliveries WHERE webhook_uid = $1 AND factory_uid = $2
            ORDER BY delivery_id DESC LIMIT 1) AS last_at
         FROM deliveries WHERE webhook_uid = $1 AND factory_uid = $2`,
        [uid, factoryUid, firstUuidOf(Date.parse(since))],
      );
      return { all: row?.total ?? 0, recent: row?.recent ?? 0, lastAt: row?.last_at ?? null };
    },
  };
}

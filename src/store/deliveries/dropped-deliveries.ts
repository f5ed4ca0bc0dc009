import type { DroppedStore } from "../../ingress/delivery.ts";
import type { Database } from "../sqlite/database.ts";

/** How many deliveries to a webhook were refused without a record, by the hour. */
export function droppedDeliveries(db: Database): DroppedStore {
  return {
    async listDropped(since) {
      const rows = await db.all<{
        factory_uid: string;
        webhook_uid: string;
        hour: string;
        over_budget: number;
        blocked: number;
      }>(
        "SELECT factory_uid, webhook_uid, hour, over_budget, blocked FROM dropped_deliveries WHERE hour >= $1",
        [since],
      );
      return rows.map((row) => ({
        factoryUid: row.factory_uid,
        uid: row.webhook_uid,
        hour: row.hour,
        overBudget: row.over_budget,
        blocked: row.blocked,
      }));
    },
    async listDroppedByFactory(since) {
      return db.all(
        `SELECT factory_uid AS "factoryUid", hour, SUM(over_budget) AS "overBudget", SUM(blocked) AS blocked
         FROM dropped_deliveries WHERE hour >= $1 GROUP BY factory_uid, hour`,
        [since],
      );
    },
    async saveDropped(counts, forgetBefore) {
      await db.run("DELETE FROM dropped_deliveries WHERE hour < $1", [forgetBefore]);
      for (const { factoryUid, uid, hour, overBudget, blocked } of counts) {
        await db.run(
          `INSERT INTO dropped_deliveries (factory_uid, webhook_uid, hour, over_budget, blocked)
           VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (factory_uid, webhook_uid, hour)
           DO UPDATE SET over_budget = excluded.over_budget, blocked = excluded.blocked`,
          [factoryUid, uid, hour, overBudget, blocked],
        );
      }
    },
  };
}

import { firstUuidOf } from "../../id.ts";
import type { DeliveryOutcome, DeliveryStore, LoggedWebhook } from "../../ingress/delivery.ts";
import { HOUR_MS } from "../../time/duration.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

const READ_TOGETHER = 100;

/** What counts as what. */
const KINDS: Readonly<Record<Exclude<DeliveryOutcome, "Accepted">, "duplicates" | "rejected">> = {
  Duplicate: "duplicates",
  "Rejected (auth)": "rejected",
  "Rejected (invalid JSON)": "rejected",
  "Rejected (too large)": "rejected",
};
const OTHERS = Object.keys(KINDS);

interface CountRow {
  factoryUid: string;
  uid: string;
  count: number;
}

/** How many deliveries webhooks had in an hour, counted in indexes alone: ids tell the time. */
export function hourlyDeliveries(db: Database): Pick<DeliveryStore, "listHourlyDeliveries"> {
  return {
    async listHourlyDeliveries(webhooks, hour) {
      const range = [firstUuidOf(hour), firstUuidOf(hour + HOUR_MS)];
      const uids = [...new Set(webhooks.map(({ uid }) => uid))];
      const counts: CountRow[] = [];
      for (let from = 0; from < uids.length; from += READ_TOGETHER) {
        const chunk = Array.from({ length: READ_TOGETHER }, (_, index) => uids[from + index] ?? "");
        counts.push(
          ...(await db.all<CountRow>(
            `SELECT factory_uid AS "factoryUid", webhook_uid AS uid, COUNT(*) AS count FROM deliveries
             WHERE webhook_uid IN (${placeholders(READ_TOGETHER, 2)}) AND delivery_id >= $1 AND delivery_id < $2
             GROUP BY webhook_uid, factory_uid`,
            [...range, ...chunk],
          )),
        );
      }
      const others = await db.all<CountRow & { outcome: keyof typeof KINDS }>(
        `SELECT factory_uid AS "factoryUid", webhook_uid AS uid, outcome, COUNT(*) AS count FROM deliveries
         WHERE outcome IN (${placeholders(OTHERS.length, 2)}) AND outcome <> 'Accepted'
           AND delivery_id >= $1 AND delivery_id < $2
         GROUP BY webhook_uid, factory_uid, outcome`,
        [...range, ...OTHERS],
      );
      const found = new Map(
        counts.map(({ count, ...webhook }) => [
          keyOf(webhook),
          { ...webhook, accepted: count, duplicates: 0, rejected: 0 },
        ]),
      );
      for (const { outcome, count, ...webhook } of others) {
        const counted = found.get(keyOf(webhook));
        if (!counted) continue;
        counted.accepted -= count;
        counted[KINDS[outcome]] += count;
      }
      return [...found.values()];
    },
  };
}

const keyOf = ({ factoryUid, uid }: LoggedWebhook) => `${factoryUid}/${uid}`;

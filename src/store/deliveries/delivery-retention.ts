import { firstUuidOf } from "../../id.ts";
import type { DeliveryStore } from "../../ingress/delivery.ts";
import { forgetWords } from "../delivery-search/search-gone.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

/** Words of deliveries that are pruned leave together with those of the next hour: they stand in the same places. */
const WORDS_LEAVE_MS = 60 * 60_000;

/** What keeps the delivery log from growing for ever. Ids rise with time, so the oldest come first in their index. */
export function deliveryRetention(
  db: Database,
): Pick<DeliveryStore, "listLoggedWebhooks" | "prune" | "forgetIdentities"> {
  return {
    async listLoggedWebhooks() {
      // Jumps from one webhook to the next in the index; DISTINCT would read every entry of it.
      const rows = await db.all<{ uid: string }>(
        `WITH RECURSIVE logged (uid) AS (
           SELECT MIN(webhook_uid) FROM deliveries
           UNION ALL
           SELECT (SELECT MIN(webhook_uid) FROM deliveries WHERE webhook_uid > logged.uid)
           FROM logged WHERE logged.uid IS NOT NULL)
         SELECT uid FROM logged WHERE uid IS NOT NULL`,
      );
      return rows.map(({ uid }) => uid);
    },
    async prune(webhookUid, { since, newest }, limit) {
      // Ids tell the time too, and they are what the index is sorted by: what stays is not looked at.
      const rows = await db.all<{ delivery_id: string }>(
        `SELECT delivery_id FROM deliveries
         WHERE webhook_uid = $1 AND delivery_id < $2 AND delivery_id < (
           SELECT delivery_id FROM deliveries WHERE webhook_uid = $1 ORDER BY delivery_id DESC LIMIT 1 OFFSET $3)
         ORDER BY delivery_id LIMIT $4`,
        [webhookUid, firstUuidOf(Date.parse(since)), newest - 1, limit],
      );
      const ids = rows.map((row) => row.delivery_id);
      if (ids.length === 0) return 0;
      const listed = placeholders(ids.length);
      await forgetWords(db, ids, new Date(Date.now() + WORDS_LEAVE_MS).toISOString());
      await db.run(
        `UPDATE run_attachments
         SET content = (SELECT payload FROM deliveries d WHERE d.delivery_id = run_attachments.delivery_id),
             delivery_id = NULL
         WHERE run_id IN (SELECT run_id FROM runs WHERE delivery_id IN (${listed})
                          UNION SELECT run_id FROM run_deliveries WHERE delivery_id IN (${listed}))
           AND delivery_id IN (${listed})`,
        ids,
      );
      return db.run(`DELETE FROM deliveries WHERE delivery_id IN (${listed})`, ids);
    },
    forgetIdentities: (before, limit) =>
      db.run(
        `DELETE FROM delivery_identities WHERE identity IN (
           SELECT i.identity FROM delivery_identities i
           WHERE i.accepted_at < $1 AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.delivery_id = i.delivery_id)
           ORDER BY i.accepted_at LIMIT $2)`,
        [before, limit],
      ),
  };
}

import type { DeliveryStore } from "../../ingress/delivery.ts";
import { forgetWords } from "../delivery-search/search-gone.ts";
import { ENDED } from "../runs/state-lists.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { recordChange } from "../tables/change-store.ts";

/** What is still needed: a run that has not ended reads the body of its delivery when it starts. */
const NEEDED = `(EXISTS (SELECT 1 FROM runs r WHERE r.delivery_id = d.delivery_id AND r.state NOT IN (${ENDED}))
  OR EXISTS (SELECT 1 FROM run_deliveries g JOIN runs r ON r.run_id = g.run_id
             WHERE g.delivery_id = d.delivery_id AND r.state NOT IN (${ENDED})))`;

/** What is deleted because someone asks for it. Identities stay, so that what is sent again starts nothing. */
export function deliveryDeletion(
  db: Database,
): Pick<DeliveryStore, "forgetPayload" | "forgetDeliveries" | "findCount"> {
  /** Runs that have ended were given copies, or read the delivery's own. */
  const forgetGiven = (ids: readonly string[]) =>
    db.run(`DELETE FROM run_attachments WHERE delivery_id IN (${placeholders(ids.length)})`, [...ids]);

  return {
    async forgetPayload(id) {
      const forgotten = await db.run(
        `UPDATE deliveries AS d SET payload = NULL WHERE d.delivery_id = $1 AND NOT ${NEEDED}`,
        [id],
      );
      if (forgotten === 0) return false;
      await db.run("DELETE FROM pull_request_events WHERE delivery_id = $1", [id]);
      await forgetWords(db, [id], new Date().toISOString());
      await forgetGiven([id]);
      return true;
    },
    async forgetDeliveries({ factoryUid, uid }, upTo, limit, at) {
      const rows = await db.all<{ delivery_id: string }>(
        `SELECT d.delivery_id FROM deliveries d
         WHERE d.webhook_uid = $1 AND d.factory_uid = $2 AND d.delivery_id <= $3 AND NOT ${NEEDED}
         ORDER BY d.delivery_id LIMIT $4`,
        [uid, factoryUid, upTo, limit],
      );
      const ids = rows.map((row) => row.delivery_id);
      if (ids.length === 0) return [];
      await forgetGiven(ids);
      await forgetWords(db, ids, at);
      await db.run(`DELETE FROM deliveries WHERE delivery_id IN (${placeholders(ids.length)})`, ids);
      // One for the batch: a webhook may have a million of them.
      await recordChange(db, {
        kind: "webhook",
        subject: uid,
        factoryUid,
        webhookUid: uid,
        status: "deliveries_deleted",
        at,
      });
      return ids;
    },
    async findCount({ factoryUid, uid }, upTo) {
      const row = await db.first<{ count: number }>(
        `SELECT COUNT(*) AS count FROM deliveries
         WHERE webhook_uid = $1 AND factory_uid = $2 AND delivery_id <= $3`,
        [uid, factoryUid, upTo],
      );
      return row?.count ?? 0;
    },
  };
}
